import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { ContributionEntry } from '../../contract/vault';
import { largestVaultSetting, readFileInsideSync } from '../../files';
import { agentContribution, readAgentNote } from '../agents';
import { hookContributions } from '../hooks';
import { serverContributions } from '../mcp';
import type { Contribution, Trust } from '../trust';

/** What a folder brings along that can run, and what the person said to each of it. */
export function createVaultContents(
  trust: Pick<Trust, 'isTrusted' | 'madeIn'>,
): (root: string) => Promise<ContributionEntry[]> {
  return async (root) => {
    const things = await contributionsIn(root);
    const isTrusted = trust.isTrusted(root);
    const pins = trust.madeIn(root);
    const consentTo = (thing: Contribution): ContributionEntry['consent'] => {
      if (pins.isAgreed(thing) || (isTrusted && thing.lines.length === 0)) return { kind: 'given' };
      const before = pins.agreedLines(thing);
      return before === null ? { kind: 'new' } : { kind: 'changed', before: [...before] };
    };
    return things.map(({ keys, ...thing }) => ({
      ...thing,
      lines: [...thing.lines],
      ...(keys && { keys: [...keys] }),
      consent: consentTo(thing),
    }));
  };
}

async function contributionsIn(root: string): Promise<Contribution[]> {
  const servers = textOf(root, '.interlinear/mcp.json');
  const hooks = textOf(root, '.interlinear/hooks.json');
  const things = [
    ...(servers === null ? [] : serverContributions(servers, root)),
    ...(hooks === null ? [] : hookContributions(hooks)),
  ];
  const agents = namesIn(join(root, '.interlinear', 'agents')).filter((name) => /^[^.].*\.md$/i.test(name));
  for (const name of agents) {
    const path = `.interlinear/agents/${name}`;
    const text = textOf(root, path);
    if (text === null) continue;
    things.push(agentContribution(readAgentNote(path, text.replaceAll('\r\n', '\n'))));
    // A folder may bring thousands: after each everybody else has a turn.
    await setImmediate();
  }
  return things;
}

function textOf(root: string, path: string): string | null {
  try {
    return readFileInsideSync(root, path, largestVaultSetting)
      .toString('utf8')
      .replace(/^\uFEFF/, '');
  } catch {
    return null;
  }
}

function namesIn(path: string): string[] {
  try {
    return readdirSync(path).sort();
  } catch {
    return [];
  }
}
