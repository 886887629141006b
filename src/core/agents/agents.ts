import type { Agent } from '../../contract/agents';
import { type Clock, createPicture, type Log } from '../foundation';
import type { Vault } from '../vault';
import { readAgentNote } from './agent-note';
import type { Agents, ResolvedAgent } from './door';
import { createNoteFolder } from './note-folder';
import { agentTag } from './tags';

/** The agents of the vault that is open, as long as the person trusts it. Read again whenever their folder changes. */
export function createAgents(parts: {
  vault: Pick<Vault, 'state' | 'root' | 'read' | 'onDiskChange'>;
  clock: Clock;
  log: Log;
}): Agents {
  const list = createPicture<Agent[]>([]);
  let agents: readonly ResolvedAgent[] = [];
  const { close } = createNoteFolder({
    ...parts,
    folder: 'agents',
    untrusted: false,
    readNote: readAgentNote,
    show(found) {
      agents = found;
      list.set([...found]);
    },
  });

  return {
    list,
    find(name) {
      const wanted = name.toLowerCase();
      return agents.find(
        (agent) => agent.name.toLowerCase() === wanted || agentTag(agent.name).toLowerCase() === wanted,
      );
    },
    close,
  };
}
