import { type Agents, createAgents, createPrompts, createTarsImport, type Prompts } from './agents';
import type { AppData } from './app-data';
import type { Lifetime } from './foundation';
import type { Host } from './host';
import { createProviders, createUsageLog, type Providers, type UsageLog } from './providers';
import { onRenamed, type Vault } from './vault';

/** Who answers: providers of models, and the vault's agents and prompts. */
export interface AppAgents {
  readonly providers: Providers;
  readonly usage: UsageLog;
  readonly agents: Agents;
  readonly prompts: Prompts;
  readonly tars: ReturnType<typeof createTarsImport>;
}

export function createAppAgents({
  host,
  data,
  life,
  vault,
}: {
  readonly host: Host;
  readonly data: AppData;
  readonly life: Lifetime;
  readonly vault: Vault;
}): AppAgents {
  const { clock, log, secrets, environment } = host;
  const { settings, trust, database } = data;
  const pins = () => trust.madeIn(vault.root());

  const providers = createProviders({
    ...{ settings, secrets, environment, clock, database },
    log: log.named('providers'),
  });
  const usage = createUsageLog({ database, clock });
  life.add(onRenamed(vault, usage.renamed));
  const agents = createAgents({ vault, clock, pins, settings, log: log.named('agents') });
  life.add(agents.close);
  const prompts = createPrompts({ vault, clock, log: log.named('prompts') });
  life.add(prompts.close);
  const tars = createTarsImport({ vault, providers, settings });
  return { providers, usage, agents, prompts, tars };
}
