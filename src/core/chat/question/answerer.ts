import type { NoteAsk } from '../../../contract/chat';
import { isAppError } from '../../../contract/errors';
import type { ProviderConfig } from '../../../contract/providers';
import { isSameTag, roleOfTag, tagTaken } from '../../../contract/tag-meanings';
import type { Turn } from '../../../markdown';
import { type Agents, agentTag, type ResolvedAgent } from '../../agents';
import type { Provider, Providers } from '../../providers';
import type { SettingsStore } from '../../settings';
import { noProvider, waitingAgent } from '../note/failures';
import type { RunRequest } from '../note/run-request';
import type { NoteSettings } from './note-settings';

/** Who answers, and how. */
export interface Answerer {
  readonly provider: Provider;
  readonly tag: string;
  /** By which the person knows the provider, whoever answers by it. */
  readonly providerTag: string;
  readonly agent: ResolvedAgent | null;
  readonly temperature: number | null;
  readonly maxTokens: number | null;
  readonly reasoning: ResolvedAgent['reasoning'];
  readonly webSearch: boolean | null;
  /** The note's over the agent's; they override everything in the request. */
  readonly parameters: Readonly<Record<string, unknown>> | null;
  /** Globs; null: every tool. */
  readonly tools: readonly string[] | null;
  readonly approval: 'ask' | 'allow' | 'deny' | null;
  /** What the note wants beyond this, and the person has not agreed to; null: nothing. */
  readonly ask: NoteAsk | null;
}

/** Whom a name or a tag means: by the whole of it, else by what stands before a slash. */
export function whoIs(
  name: string,
  {
    providers,
    agents,
  }: { readonly providers: Pick<Providers, 'list'>; readonly agents: Pick<Agents, 'find'> },
): { readonly agent: ResolvedAgent | null; readonly provider: string | null } | null {
  const by = (text: string) => {
    const agent = agents.find(text) ?? null;
    const provider = providerBy(text, providers);
    return agent || provider ? { agent, provider } : null;
  };
  return by(name) ?? by(name.split('/')[0] ?? name);
}

const providerBy = (name: string, { list }: Pick<Providers, 'list'>) =>
  list
    .get()
    .find(({ id, tag, tagTaken }) => id === name || (!tagTaken && tag.toLowerCase() === name.toLowerCase()))
    ?.tag ?? null;

function roleTaken(name: string, { settings }: { readonly settings: Pick<SettingsStore, 'current'> }) {
  const role = roleOfTag(name, settings.current.get().tags);
  return role === null ? null : tagTaken({ tag: name, held: role, claim: 'model' });
}

/** A tag as written may be longer after a slash; an agent may be asked for by a name that is no tag. */
const isNamedBy = (tag: string, own: string) =>
  isSameTag(tag, own) || isSameTag(tag.split('/', 1)[0] ?? tag, own);

/** An agent that is another one than the person agreed to is not asked, and nobody is in its place. */
function throwIfWaiting(tag: string, { list }: Pick<Agents, 'list'>): void {
  const waiting = list
    .get()
    .find((one) => one.waitsFor === 'agreement' && isNamedBy(tag, agentTag(one.name)));
  if (waiting) throw waitingAgent(waiting.name, 'agreement');
}

const lastAnswer = (turns: readonly Turn[]) => turns.findLast(({ role }) => role === 'assistant');

/**
 * The tag that was asked for; else what the note's front matter says; else who answered last, above the place or else
 * anywhere in the note; else the default provider. A tag may be an agent's or a provider's. Throws `chat.no-provider` and `settings.tag-taken`.
 */
export async function findAnswerer(
  request: Pick<RunRequest, 'agent' | 'model' | 'provider' | 'tools'> & { readonly tag: string | null },
  note: NoteSettings,
  turns: { readonly before: readonly Turn[]; readonly all: readonly Turn[] },
  parts: {
    readonly providers: Providers;
    readonly agents: Pick<Agents, 'find' | 'list'>;
    readonly settings: Pick<SettingsStore, 'current'>;
  },
): Promise<Answerer> {
  const { providers } = parts;
  const must = (name: string) => {
    const answerer = whoIs(name, parts);
    if (answerer) return answerer;
    throwIfWaiting(name, parts.agents);
    throw roleTaken(name, parts) ?? noProvider(name);
  };
  const mustAgent = (name: string) => {
    // Its name is another's tag: to take that one instead would be a surprise.
    const namesake = parts.agents.list.get().find((one) => one.tag === null && isSameTag(one.name, name));
    if (namesake?.waitsFor) throw waitingAgent(name, namesake.waitsFor);
    if (namesake) throw roleTaken(name, parts) ?? tagTaken({ tag: name, held: 'model', claim: 'model' });
    return must(name);
  };
  const modelAsProvider = note.model === null ? null : providerBy(note.model, providers);

  const chosen = (() => {
    if (request.agent !== undefined) return mustAgent(request.agent);
    if (request.provider) return request.tag === null ? null : whoIs(request.tag, parts);
    if (request.tag !== null) return must(request.tag);
    if (note.agent !== null) return mustAgent(note.agent);
    if (modelAsProvider !== null) return { agent: null, provider: modelAsProvider };
    const last = lastAnswer(turns.before) ?? lastAnswer(turns.all);
    const lastAnswerer = last ? whoIs(last.tag, parts) : null;
    if (last && !lastAnswerer) throwIfWaiting(last.tag, parts.agents);
    return lastAnswerer;
  })();

  const agent = chosen?.agent ?? null;
  const model = request.model ?? (modelAsProvider !== null ? null : note.model) ?? agent?.model ?? null;
  const overrides: Partial<ProviderConfig> = model === null ? {} : { model };
  const providerName = agent ? (agent.provider ?? modelAsProvider) : (chosen?.provider ?? null);
  const provider = request.provider
    ? await providers.temporary({ ...request.provider.config, ...overrides }, request.provider.key)
    : await pick(providerName, overrides);

  async function pick(name: string | null, changes: Partial<ProviderConfig>): Promise<Provider> {
    try {
      return await providers.pick(name, changes);
    } catch (error) {
      if (isAppError(error, 'provider.unknown')) throw noProvider(name);
      throw error;
    }
  }

  const ownTag = providers.list.get().find((one) => one.id === provider.id)?.tag;
  const providerTag = request.provider?.config.tag ?? ownTag ?? agentTag(provider.label);
  const own = agent ? (agent.tag ?? agentTag(agent.name)) : providerTag;
  return {
    provider,
    tag: request.tag !== null && (request.provider || isNamedBy(request.tag, own)) ? request.tag : own,
    providerTag,
    agent,
    temperature: note.temperature ?? agent?.temperature ?? null,
    maxTokens: note.maxTokens ?? agent?.maxTokens ?? null,
    reasoning: note.reasoning ?? agent?.reasoning ?? null,
    webSearch: note.webSearch ?? agent?.webSearch ?? null,
    parameters: note.parameters || agent?.parameters ? { ...agent?.parameters, ...note.parameters } : null,
    tools: request.tools ?? note.tools ?? agent?.tools ?? null,
    approval: note.approval ?? agent?.approval ?? null,
    ask: null,
  };
}
