import type { ProviderConfig, WireFormat } from '../../src/contract/providers';
import { type Clock, createLog, type LogRecord, openDatabase, systemClock } from '../../src/core/foundation';
import type { SecretStore } from '../../src/core/host';
import { createProviders, type ModelEvent, type ModelRequest, type Provider } from '../../src/core/providers';
import type { SettingsStore } from '../../src/core/settings';
import { createMemorySecrets, createMemorySettings } from '../support/in-memory';

export function testProviders(
  options: {
    settings?: SettingsStore;
    secrets?: SecretStore;
    environment?: Record<string, string>;
    onLog?: (record: LogRecord) => void;
    fetch?: typeof fetch;
    clock?: Clock;
  } = {},
) {
  return createProviders({
    settings: options.settings ?? createMemorySettings(),
    secrets: options.secrets ?? createMemorySecrets(),
    // Nothing listens there: tests must not meet an Ollama of this machine.
    environment: { OLLAMA_HOST: '127.0.0.1:1', ...options.environment },
    log: createLog(options.onLog ?? (() => undefined)),
    clock: options.clock ?? systemClock,
    database: openDatabase(':memory:', () => undefined),
    ...(options.fetch && { fetch: options.fetch }),
  });
}

export function providerAt(
  baseUrl: string,
  vendor: string,
  format: WireFormat,
  config: Partial<ProviderConfig> & { idleTimeout?: number; key?: string | null } = {},
): Promise<Provider> {
  const { idleTimeout, key, ...rest } = config;
  const settings = createMemorySettings(idleTimeout ? { providerIdleTimeout: idleTimeout } : {});
  return testProviders({ settings }).temporary(
    { id: 'test', vendor, tag: 'Test', model: 'test-model', format, baseUrl, ...rest },
    key === undefined ? 'test-key-123456' : key,
  );
}

export function ask(text: string, more: Partial<ModelRequest> = {}): ModelRequest {
  return {
    model: 'test-model',
    messages: [{ role: 'user', text, attachments: [] }],
    tools: [],
    ...more,
  };
}

export interface Outcome {
  text: string;
  reasoning: string;
  calls: Extract<ModelEvent, { kind: 'tool-call' }>[];
  usage: Extract<ModelEvent, { kind: 'usage' }>['usage'] | null;
  /** Dollars, as the provider says. */
  cost?: number;
  finish: string | null;
  native: Extract<ModelEvent, { kind: 'native' }>['state'] | null;
  retries: Extract<ModelEvent, { kind: 'retrying' }>[];
  /** What was thrown after the events above. */
  error: unknown;
}

export async function collect(events: AsyncIterable<ModelEvent>): Promise<Outcome> {
  const outcome: Outcome = {
    text: '',
    reasoning: '',
    calls: [],
    usage: null,
    finish: null,
    native: null,
    retries: [],
    error: null,
  };
  try {
    for await (const event of events) {
      if (event.kind === 'text') outcome.text += event.text;
      if (event.kind === 'reasoning') outcome.reasoning += event.text;
      if (event.kind === 'tool-call') outcome.calls.push(event);
      if (event.kind === 'usage') {
        outcome.usage = event.usage;
        if (event.cost !== undefined) outcome.cost = event.cost;
      }
      if (event.kind === 'finish') outcome.finish = event.reason;
      if (event.kind === 'native') outcome.native = event.state;
      if (event.kind === 'retrying') outcome.retries.push(event);
    }
  } catch (error) {
    outcome.error = error;
  }
  return outcome;
}
