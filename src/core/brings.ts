import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Brought } from '../contract/vault';
import { broughtAgent, readAgentNote } from './agents';
import { broughtHooks } from './hooks';
import { broughtServers } from './mcp';
import type { BroughtThing, Trust } from './settings';

/** What a folder brings along that can run, and what the person said to each of it. */
export function createBrings(trust: Pick<Trust, 'pinsOf'>): (root: string) => Brought[] {
  return (root) => {
    const pins = trust.pinsOf(root);
    const consentTo = (thing: BroughtThing): Brought['consent'] => {
      if (!pins) return { kind: 'new' };
      if (thing.lines.length === 0 || pins.isAgreed(thing)) return { kind: 'given' };
      const before = pins.agreedLines(thing);
      return before === null ? { kind: 'new' } : { kind: 'changed', before: [...before] };
    };
    return thingsIn(root).map((thing) => ({
      ...thing,
      lines: [...thing.lines],
      consent: consentTo(thing),
    }));
  };
}

function thingsIn(root: string): BroughtThing[] {
  const folder = join(root, '.interlinear');
  const servers = textOf(join(folder, 'mcp.json'));
  const hooks = textOf(join(folder, 'hooks.json'));
  const agents = namesIn(join(folder, 'agents')).filter((name) => /^[^.].*\.md$/i.test(name));
  return [
    ...(servers === null ? [] : broughtServers(servers)),
    ...(hooks === null ? [] : broughtHooks(hooks)),
    ...agents.flatMap((name) => {
      const text = textOf(join(folder, 'agents', name));
      return text === null
        ? []
        : [broughtAgent(readAgentNote(`.interlinear/agents/${name}`, text.replaceAll('\r\n', '\n')))];
    }),
  ];
}

function textOf(path: string): string | null {
  try {
    return readFileSync(path, 'utf8').replace(/^\uFEFF/, '');
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
