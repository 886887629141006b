import type { Agent } from '../../contract/agents';
import { demoProvider } from '../../contract/providers';
import { isSameTag, roleOfTag, tagTaken } from '../../contract/tag-meanings';
import { type Clock, createObservable, type Log, type Observable } from '../foundation';
import type { SettingsStore } from '../settings';
import type { BroughtThing } from '../trust';
import type { Vault } from '../vault';
import { broughtAgent, readAgentNote } from './agent-note';
import { createNoteFolder } from './note-folder';
import type { ResolvedAgent } from './resolved-agent';
import { agentTag } from './tags';

export interface Agents {
  readonly list: Observable<Agent[]>;
  /** By name or by tag, without regard to case. */
  find(name: string): ResolvedAgent | undefined;
  /** Resolves when those of a vault that was opened just now are read. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

/** Systems write accents in two ways, and a file's name in one of them. */
const folded = (name: string) => name.normalize('NFC').toLowerCase();

/** The agents of the vault that is open; until the person trusts it they are listed, and nobody can ask them. Read again whenever their folder changes. */
export function createAgents(parts: {
  vault: Pick<Vault, 'state' | 'root' | 'read' | 'onDiskChange'>;
  isAgreed: (thing: BroughtThing) => boolean;
  settings: Pick<SettingsStore, 'current'>;
  clock: Clock;
  log: Log;
}): Agents {
  const list = createObservable<Agent[]>([]);
  let noted: readonly ResolvedAgent[] = [];
  let agents: readonly ResolvedAgent[] = [];
  const { settled, close } = createNoteFolder({
    ...parts,
    folder: 'agents',
    untrusted: true,
    readNote: (path, text) => withinConsent(readAgentNote(path, text)),
    show(notes) {
      noted = notes;
      show();
    },
  });
  const stop = parts.settings.current.onChange(show);

  function show(): void {
    const state = parts.vault.state.get();
    const isTrusted = state.kind === 'open' && state.trusted;
    agents = noted.map((agent, at) =>
      isTrusted ? withFreeTag(agent, noted.slice(0, at)) : untrusted(agent),
    );
    if (JSON.stringify(agents) !== JSON.stringify(list.get())) list.set([...agents]);
  }

  /** A note that is called like a person would have what it says read as that person's words; a provider was first. */
  function withFreeTag(agent: ResolvedAgent, earlier: readonly ResolvedAgent[]): ResolvedAgent {
    const tag = agentTag(agent.name);
    const { tags, providers } = parts.settings.current.get();
    const ofModel =
      [...providers, demoProvider].some((one) => isSameTag(one.tag, tag)) ||
      earlier.some((one) => isSameTag(agentTag(one.name), tag));
    const holder = roleOfTag(tag, tags) ?? (ofModel ? 'model' : null);
    if (holder === null) return agent;
    const { message } = tagTaken({ tag, held: holder, wanted: 'model' });
    return { ...agent, tag: null, problem: [agent.problem, message].filter(Boolean).join(' ') };
  }

  function untrusted(agent: ResolvedAgent): ResolvedAgent {
    const problem = 'Not trusted yet: it answers once you trust this folder.';
    return {
      ...agent,
      tag: null,
      isUntrusted: true,
      problem: [problem, agent.problem].filter(Boolean).join(' '),
    };
  }

  /** An agent may always ask for more care; that its tools run without a yes is what a person has to agree to. */
  function withinConsent(agent: ResolvedAgent): ResolvedAgent {
    const thing = broughtAgent(agent);
    if (thing.lines.length === 0 || parts.isAgreed(thing)) return agent;
    const problem = '“approval: allow” waits until you agree to it.';
    return { ...agent, approval: null, problem: [agent.problem, problem].filter(Boolean).join(' ') };
  }

  return {
    list,
    find(name) {
      const key = folded(name);
      return agents.find(({ name, tag }) => tag !== null && (folded(name) === key || folded(tag) === key));
    },
    settled,
    async close() {
      stop();
      await close();
    },
  };
}
