import type { Agent } from '../../contract/agents';
import { type Clock, createPicture, type Log } from '../foundation';
import type { BroughtThing } from '../settings';
import type { Vault } from '../vault';
import { broughtAgent, readAgentNote } from './agent-note';
import type { Agents, ResolvedAgent } from './door';
import { createNoteFolder } from './note-folder';
import { agentTag } from './tags';

/** Systems write accents in two ways, and a file's name in one of them. */
const known = (name: string) => name.normalize('NFC').toLowerCase();

/** The agents of the vault that is open, as long as the person trusts it. Read again whenever their folder changes. */
export function createAgents(parts: {
  vault: Pick<Vault, 'state' | 'root' | 'read' | 'onDiskChange'>;
  isAgreed: (thing: BroughtThing) => boolean;
  clock: Clock;
  log: Log;
}): Agents {
  const list = createPicture<Agent[]>([]);
  let agents: readonly ResolvedAgent[] = [];
  const { settled, close } = createNoteFolder({
    ...parts,
    folder: 'agents',
    untrusted: false,
    readNote: (path, text) => withinConsent(readAgentNote(path, text)),
    show(found) {
      agents = found;
      list.set([...found]);
    },
  });

  /** An agent may always ask for more care; that its tools run without a yes is what a person has to agree to. */
  function withinConsent(agent: ResolvedAgent): ResolvedAgent {
    const thing = broughtAgent(agent);
    if (thing.lines.length === 0 || parts.isAgreed(thing)) return agent;
    const problem = '`approval: allow` waits until you agree to it.';
    return { ...agent, approval: null, problem: [agent.problem, problem].filter(Boolean).join(' ') };
  }

  return {
    list,
    find(name) {
      const wanted = known(name);
      return agents.find((agent) => known(agent.name) === wanted || known(agentTag(agent.name)) === wanted);
    },
    settled,
    close,
  };
}
