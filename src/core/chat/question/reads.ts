import type { Reading } from '../../../contract/flow';
import type { ToolEntry } from '../../../contract/tools';
import {
  type Conversation,
  findLinks,
  findResourceLinks,
  type NoteLink,
  type ResourceLink,
  type ToolCallout,
  type Turn,
  turnsOfTools,
} from '../../../markdown';
import { nameTheNote, type ResolvedAgent } from '../../agents';
import { joinedSources, type ReadSource, type Tools, withContent } from '../../tools';
import type { Vault } from '../../vault';
import type { WordsOfNote, WrittenWords } from '../note/written-words';
import type { Brought } from './embeds';
import type { GivenPrompts } from './given-prompts';
import { resultWords } from './replay';
import type { ResourceServers } from './resources';

/** What stands in a conversation and is not the person's own word: read from the note, and growing as an answer goes on. */
export interface ConversationReads {
  sources(): readonly ReadSource[];
  add(source: ReadSource): void;
}

export interface ReadsParts {
  readonly tools: Pick<Tools, 'sourceOf' | 'accountOf' | 'find'>;
  readonly vault: Pick<Vault, 'findLinked'>;
  readonly resourceServers: Pick<ResourceServers, 'server'>;
  readonly givenPrompts: Pick<GivenPrompts, 'within' | 'linesWithin'>;
  readonly writtenWords: Pick<WrittenWords, 'of'>;
  readonly viewWords: (
    path: string,
  ) => readonly { readonly serverName: string; readonly tool: string; readonly text: string }[];
}

/** Notes and files: clippings, downloads and what models wrote are there beside what the person wrote. */
const mixed: Reading[] = ['private', 'untrusted'];

const source = (facts: Pick<ReadSource, 'kind' | 'name' | 'reads'> & Partial<ReadSource>): ReadSource => ({
  places: [],
  account: null,
  ...facts,
});

/** Of the turns that are sent, whatever else is in the note. */
export function readsInNote(
  {
    text,
    conversation,
    turns,
    path,
    brought = [],
  }: {
    readonly text: string;
    readonly conversation: Conversation;
    readonly turns: readonly Turn[];
    readonly path: string;
    /** What its links brought in; nothing where nothing is sent. */
    readonly brought?: readonly Brought[];
  },
  parts: ReadsParts,
): ReadSource[] {
  const spoken = turns.filter(({ role }) => role !== 'assistant');
  const links = [...findLinks(text), ...findResourceLinks(text)].filter((link) => isWithin(link, spoken));
  const sent = turns.map(({ contentFrom, to }) => text.slice(contentFrom, to));
  const own = parts.writtenWords.of(path, text);
  return joinedSources([
    ...links
      .flatMap((link) => linkSource(link, path, parts) ?? [])
      .flatMap((one) => withBrought(one, brought)),
    ...resultsWithin(text, conversation, turns).flatMap((result) => resultSources(result, own, parts)),
    ...turns.filter(({ role }) => role === 'assistant').flatMap((turn) => answerSources(text, turn, own)),
    ...turnsOfTools(text, turns, own.toolOf).flatMap(({ tools, lines }) =>
      tools.map(({ server, tool }) =>
        withContent(source({ kind: 'tool', name: server, tool, reads: mixed }), lines.join('\n')),
      ),
    ),
    ...parts.givenPrompts
      .within(sent)
      .map(({ server, name }) =>
        server === ''
          ? templateSource(name)
          : withContent(
              source({ kind: 'prompt', name: server, tool: name, reads: mixed }),
              parts.givenPrompts.linesWithin(sent, { server, name }).join('\n'),
            ),
      ),
    ...parts.viewWords(path).map(({ serverName, tool, text: words }) => {
      const known = parts.tools.find(serverName, tool)?.flow.reads ?? mixed;
      const reads = [...new Set<Reading>([...known, 'untrusted'])];
      return withContent(source({ kind: 'view', name: serverName, tool, reads }), words);
    }),
  ]);
}

const isWithin = ({ from, to }: { readonly from: number; readonly to: number }, turns: readonly Turn[]) =>
  turns.some((turn) => turn.from <= from && to <= turn.to);

function linkSource(
  link: NoteLink | ResourceLink,
  path: string,
  { vault, resourceServers, tools }: Pick<ReadsParts, 'vault' | 'resourceServers' | 'tools'>,
): ReadSource | null {
  if ('uri' in link) {
    const server = resourceServers.server(link.server);
    const { server: name, uri } = link;
    return source({
      kind: 'resource',
      name,
      tool: uri,
      reads: mixed,
      account: server ? tools.accountOf(server.id) : null,
    });
  }
  if (link.target === '' || /^[a-z][a-z0-9+.-]+:/i.test(link.target)) return null;
  const target = vault.findLinked(link.target, path);
  if (target === null) return null;
  if (/\.md$/i.test(target)) return source({ kind: 'note', name: target, reads: mixed });
  return link.kind === 'link' ? null : source({ kind: 'file', name: target, reads: mixed });
}

/** What was sent of it is what was read: a note under the same name may say something else by then. */
const withBrought = (one: ReadSource, brought: readonly Brought[]): ReadSource[] => [
  one,
  ...brought
    .filter(({ target, server }) =>
      one.kind === 'resource'
        ? server === one.name && target === one.tool
        : server === null && target === one.name,
    )
    .map(({ content }) => withContent(one, content)),
];

interface WrittenResult extends Pick<ToolCallout, 'server' | 'tool' | 'arguments' | 'result'> {
  /** As it stands in the note. */
  readonly card: string;
}

/** Of models' calls and of blocks that the person ran. */
function resultsWithin(
  text: string,
  { blocks }: Pick<Conversation, 'blocks'>,
  turns: readonly Turn[],
): WrittenResult[] {
  const calls = turns.flatMap(({ parts }) =>
    parts.flatMap((part) =>
      part.kind === 'call' ? { ...part.call, card: text.slice(part.from, part.to) } : [],
    ),
  );
  const ofBlocks = blocks.flatMap(({ server, tool, arguments: args, result }) =>
    result && isWithin(result, turns)
      ? {
          server,
          tool,
          arguments: args ?? {},
          result: result.value,
          card: text.slice(result.from, result.to),
        }
      : [],
  );
  return [...calls, ...ofBlocks];
}

/**
 * A server's text all of it, below arguments of whoever asked for it. What the app did not write there may be anybody's, whatever it is
 * called.
 */
function resultSources(
  { card, result, ...call }: WrittenResult,
  own: WordsOfNote,
  { tools }: Pick<ReadsParts, 'tools'>,
): ReadSource[] {
  const read = own.readBy({ card });
  if (read) {
    const made = { definition: result.definition, at: Date.parse(result.at ?? '') };
    const toolSource = resultWords(result).by === 'app' ? null : tools.sourceOf({ ...call, made });
    return [...read, ...(toolSource ? [withResult(toolSource, result)] : [])];
  }
  const unknown = tools.sourceOf({ ...call, made: { definition: '', at: Number.NaN } });
  const any = source({ kind: 'tool', name: call.server, tool: call.tool, reads: mixed });
  return [withResult(unknown ?? any, result)];
}

/** The same source with what it answered. */
export const withResult = (source: ReadSource, result: ToolCallout['result']): ReadSource =>
  source.contents && result.state === 'ok' ? source : withContent(source, resultWords(result).text);

const mostHosts = 500;

/**
 * An answer carries what had been read when it was written, wherever its lines stand by now. One that quotes pages may have been
 * written from them: its provider may have searched. One that the app did not write in this note may be anything.
 */
function answerSources(text: string, turn: Turn, own: WordsOfNote): ReadSource[] {
  const hosts = new Set<string>();
  const carried = new Set<ReadSource>();
  const unknown: string[] = [];
  for (const part of turn.parts) {
    if (part.kind !== 'text') continue;
    const words = text.slice(part.from, part.to);
    for (const line of words.split('\n')) {
      const read = own.readBy({ line });
      if (read === null) unknown.push(line);
      for (const one of read ?? []) carried.add(one);
    }
    for (const [address] of words.matchAll(/https?:\/\/[^\s<>)\]"'`]+/g))
      if (hosts.size < mostHosts && URL.canParse(address)) hosts.add(new URL(address).hostname);
  }
  if (unknown.length === 0 && hosts.size === 0) return [...carried];
  const reads: Reading[] = unknown.length === 0 ? ['untrusted'] : mixed;
  const answerSource = source({ kind: 'answer', name: '', places: [...hosts], reads });
  return [...carried, withContent(answerSource, unknown.join('\n'))];
}

/** A template is a note of the vault that others may have changed; there is nothing private in it. */
export const templateSource = (name: string): ReadSource =>
  source({ kind: 'prompt', name, reads: ['untrusted'] });

/** What an agent is told is a note of the vault, and what the person keeps in it is theirs; others may have named the one it is asked in. */
export const agentSources = (
  { instructions, path: agentPath }: Pick<ResolvedAgent, 'instructions' | 'path'>,
  path: string,
): ReadSource[] => [
  ...(instructions === ''
    ? []
    : [withContent(source({ kind: 'note', name: agentPath, reads: ['private'] }), instructions)]),
  ...(nameTheNote(instructions) ? [source({ kind: 'note', name: path, reads: ['untrusted'] })] : []),
];

/** What the provider's own search brings stands in no call of ours. */
export const searchSource = (address?: string): ReadSource =>
  source({
    kind: 'search',
    name: '',
    reads: ['untrusted'],
    places: address !== undefined && URL.canParse(address) ? [new URL(address).hostname] : [],
  });

/** What a server says of its tools and of itself goes along with each question; of a program that is known it is nobody's news. */
export const instructionSource = (
  { serverId, serverName }: Pick<ToolEntry, 'serverId' | 'serverName'>,
  { accountOf }: Pick<Tools, 'accountOf'>,
): ReadSource =>
  source({ kind: 'instructions', name: serverName, reads: ['untrusted'], account: accountOf(serverId) });

/** What answers read, by their note, as long as an answer stands in it: a call whose card is deleted was read all the same. */
export function createReadsOfNotes(): {
  of(note: object, stands: readonly ReadSource[], isBegun: boolean): ConversationReads;
  /** With what stands in it, for whoever does not answer. */
  with(note: object, stands: readonly ReadSource[]): readonly ReadSource[];
  /** By the answer that was asked for last. */
  last(note: object): readonly ReadSource[];
} {
  const byNote = new WeakMap<object, readonly ReadSource[]>();
  return {
    with: (note, stands) => joinedSources([...(byNote.get(note) ?? []), ...stands]),
    last: (note) => byNote.get(note) ?? [],
    of(note, stands, isBegun) {
      let sources = joinedSources([...(isBegun ? (byNote.get(note) ?? []) : []), ...stands]);
      byNote.set(note, sources);
      return {
        sources: () => sources,
        add(more) {
          sources = joinedSources([...sources, more]);
          byNote.set(note, sources);
        },
      };
    },
  };
}
