import type { Agent } from '../../contract/agents';
import { demoProvider } from '../../contract/providers';
import { isSameTag, roleOfTag, tagTaken } from '../../contract/tag-meanings';
import { type Clock, createObservable, type Log, type Observable } from '../foundation';
import type { SettingsStore } from '../settings';
import type { Pins } from '../trust';
import type { Vault } from '../vault';
import { agentContribution, readAgentNote } from './agent-note';
import { createNoteFolder } from './note-folder';
import type { ResolvedAgent } from './resolved-agent';
import { agentTag } from './tags';

export interface Agents {
  readonly list: Observable<Agent[]>;
  /** By name or by tag, without regard to case. */
  find(name: string): ResolvedAgent | undefined;
  /** The person changed a text in the app, or had the app change it: an agent that was agreed to before is. */
  edited(path: string, before: string, after: string): void;
  /** The person made it in the app. */
  made(path: string, text: string): void;
  /** The person gave it another name. */
  renamed(from: string, to: string): Promise<void>;
  /** Resolves when those of a vault that was opened just now are read. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

const isAgentPath = (path: string) => /^\.interlinear\/agents\/[^./][^/]*\.md$/i.test(path);

const readNote = (path: string, text: string) =>
  readAgentNote(path, text.replace(/^\ufeff/, '').replaceAll('\r\n', '\n'));

const waitingProblems = {
  trust: 'Not trusted yet: it answers once you trust this folder.',
  agreement: 'Not what you agreed to: it answers once you agree to it as it is now.',
} as const;

/** Systems write accents in two ways, and a file's name in one of them. */
const folded = (name: string) => name.normalize('NFC').toLowerCase();

/**
 * The agents of the vault that is open; until the person trusts it, and agreed to just this agent or wrote it in the app, they are
 * listed, and nobody can ask them. Read again whenever their folder changes. One list of operations.
 */
export function createAgents(parts: {
  vault: Pick<Vault, 'state' | 'root' | 'read' | 'onDiskChange'>;
  /** What of the vault that is open is agreed to. */
  pins: () => Pick<Pins, 'isAgreed' | 'write'>;
  settings: Pick<SettingsStore, 'current'>;
  clock: Clock;
  log: Log;
}): Agents {
  const list = createObservable<Agent[]>([]);
  let noted: readonly ResolvedAgent[] = [];
  let agents: readonly ResolvedAgent[] = [];
  const { settled, refresh, close } = createNoteFolder({
    ...parts,
    folder: 'agents',
    untrusted: true,
    readNote,
    show(notes) {
      noted = notes;
      show();
    },
  });
  const stop = parts.settings.current.onChange(show);

  function show(): void {
    const state = parts.vault.state.get();
    const isTrusted = state.kind === 'open' && state.trusted;
    agents = noted.map((agent, at) => {
      if (!isTrusted) return waiting(agent, 'trust');
      return isAgreed(agent) ? withFreeTag(agent, noted.slice(0, at)) : waiting(agent, 'agreement');
    });
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
    const { message } = tagTaken({ tag, held: holder, claim: 'model' });
    return { ...agent, tag: null, problem: [agent.problem, message].filter(Boolean).join(' ') };
  }

  function waiting(agent: ResolvedAgent, waitsFor: 'trust' | 'agreement'): ResolvedAgent {
    const problem = waitingProblems[waitsFor];
    return { ...agent, tag: null, waitsFor, problem: [problem, agent.problem].filter(Boolean).join(' ') };
  }

  const isAgreed = (agent: ResolvedAgent) => parts.pins().isAgreed(agentContribution(agent));

  /** That tools run without a yes is agreed to where it is asked, whoever wrote it. */
  function write(path: string, text: string, before: ResolvedAgent | null): void {
    const agent = readNote(path, text);
    if (agent.approval !== 'allow')
      parts.pins().write(agentContribution(agent), before && agentContribution(before));
  }

  return {
    list,
    find(name) {
      const key = folded(name);
      return agents.find(({ name, tag }) => tag !== null && (folded(name) === key || folded(tag) === key));
    },
    edited(path, before, after) {
      if (isAgentPath(path) && before !== after) write(path, after, readNote(path, before));
    },
    made(path, text) {
      if (isAgentPath(path)) write(path, text, null);
    },
    async renamed(from, to) {
      if (!isAgentPath(from) || !isAgentPath(to)) return;
      const { text } = await parts.vault.read(to);
      write(to, text, readNote(from, text));
      refresh();
    },
    settled,
    async close() {
      stop();
      await close();
    },
  };
}
