import { createHash } from 'node:crypto';
import type { FlowSource, Reading, ToolFlow } from '../../../contract/flow';
import type { ToolEntry } from '../../../contract/tools';
import { own } from '../../foundation';
import type { CatalogTool } from '../../mcp';
import { type Arguments, sorted } from '../request/arguments';
import type { CallContext, ReadSource } from '../request/call-context';
import { addressOf } from './addresses';
import { answersGiven, selectingArguments, tableFlow } from './flow-table';

export const unknownFlow: ToolEntry['flow'] = { reads: ['private', 'untrusted'], sends: true, by: 'nobody' };

/**
 * What a tool reads and whether it sends: as the person says, else as the app knows it, else the worst. What its server claims can only
 * add to what is known.
 */
export function flowOf(
  tool: Pick<CatalogTool, 'name' | 'definition' | 'annotations' | 'program' | 'flowRules'>,
) {
  const { name, definition, annotations, program, flowRules = {} } = tool;
  const table = program && tableFlow(program, name);
  const base: ToolEntry['flow'] = table
    ? { ...withClaims(table, annotations.openWorld === true), by: 'app' }
    : unknownFlow;
  const personRule = [name, '*']
    .map((key) => own(flowRules, key))
    .find((rule) => rule && (rule.definition === undefined || definition.startsWith(rule.definition)));
  if (!personRule) return base;
  const { reads = base.reads, sends = base.sends } = personRule;
  return { reads, sends, by: 'person' } satisfies ToolEntry['flow'];
}

const withClaims = (flow: ToolFlow, isOpen: boolean): ToolFlow =>
  isOpen ? { reads: [...new Set<Reading>([...flow.reads, 'untrusted'])], sends: true } : flow;

/**
 * What a call that sends could carry outside, and at whose word; null: nothing of both. What calls of one answer read together counts,
 * and what this very call reads, since both can be sent on without passing through the model; that somebody's instruction was
 * there counts only where it was read before.
 */
export function carriedBy(
  tool: CatalogTool,
  args: Arguments,
  { read, beside }: CallContext,
): ReadSource[] | null {
  const flow = flowOf(tool);
  if (!flow.sends) return null;
  const untrusted = read.filter(({ reads }) => reads.includes('untrusted'));
  const isPrivate = ({ reads }: FlowSource) => reads.includes('private');
  const own = sourceOf(tool, args);
  const ownPrivate = isPrivate(own) ? [{ ...own, reads: ['private' as const] }] : [];
  const atStake = [...[...read, ...beside].filter(isPrivate), ...ownPrivate];
  if (untrusted.length === 0 || atStake.length === 0) return null;
  const isOwn = ({ account }: ReadSource) => account === tool.account;
  // Its server has that already. What it claims of its tool is believed so far: it keeps it to itself or lies; and at its own word alone
  // a model does nothing with it that it could not do by itself.
  const { readOnly, openWorld } = tool.annotations;
  const isClosed = flow.by === 'nobody' && readOnly === true && openWorld === false;
  const isAtOwnWord = untrusted.every((source) => source.kind === 'instructions' && isOwn(source));
  if ((isClosed || isAtOwnWord) && atStake.every(isOwn)) return null;
  return joined([...atStake, ...untrusted]);
}

/** What a call of a tool reads. */
export function sourceOf(
  tool: Pick<CatalogTool, 'serverName' | 'name' | 'account'> & Parameters<typeof flowOf>[0],
  args: Arguments,
): ReadSource {
  const { serverName, name, program, account } = tool;
  const selecting = program && selectingArguments(program, name);
  const source = toolSource(serverName, name, args, flowOf(tool).reads, selecting);
  return { ...source, account, ...(program && answersGiven(program, name) && { contents: [] }) };
}

/** As `sourceOf`, of a tool that is known by its names. `selecting`: the arguments that say what is read; left out: all of them. */
export function toolSource(
  server: string,
  tool: string,
  args: Arguments,
  reads: readonly Reading[],
  selecting: readonly string[] | null = null,
): ReadSource {
  const { names, isPublic } = placesIn(args);
  const more: Reading[] = isPublic ? [] : ['private', 'untrusted'];
  const all = [...new Set([...reads, ...more])];
  const selection = selecting
    ? Object.fromEntries(Object.entries(args).filter(([key]) => selecting.includes(key)))
    : args;
  const places = all.includes('private') || names.length === 0 ? selectedBy(selection) : names;
  return { kind: 'tool', name: server, tool, places: places.slice(0, mostPlaces), reads: all, account: null };
}

/** Each name by itself where one argument says it all; else all of the arguments as one, since each narrows what the others say. */
function selectedBy(args: Arguments): readonly string[] {
  const values = Object.values(args);
  const { names, isNamesOnly } = placesIn(args);
  const isList = values.length === 1 && values.flat().every((one) => typeof one !== 'object' || one === null);
  if (isList && isNamesOnly) return names;
  return values.length === 0 ? [] : [shortened(JSON.stringify(sorted(args)))];
}

/** What a source is called where one is compared with another: what it was asked for is not part of it. */
export const keyOf = ({ kind, name, tool = '', account = null }: FlowSource & Partial<ReadSource>) =>
  JSON.stringify([kind, name, tool, account]);

/** As a person is shown them. */
export const shownSources = (sources: readonly ReadSource[]): FlowSource[] =>
  joined(sources.map(({ account: _account, contents: _contents, ...source }) => source));

/** Each once, with all places and all that was read there. */
export function joined<S extends FlowSource & Pick<Partial<ReadSource>, 'contents'>>(
  sources: readonly S[],
): S[] {
  const byKey = new Map<string, S>();
  for (const source of sources) {
    const key = keyOf(source);
    const before = byKey.get(key);
    const union = <T>(a: readonly T[] = [], b: readonly T[] = []) => [...new Set([...a, ...b])];
    byKey.set(key, {
      ...source,
      ...((before?.contents ?? source.contents) && {
        contents: union(before?.contents, source.contents).slice(0, mostPlaces),
      }),
      places: union(before?.places, source.places).slice(0, mostPlaces),
      reads: union(before?.reads, source.reads),
    });
  }
  return [...byKey.values()];
}

/** More than anybody asks for; what a person agrees to is not cut off. */
export const mostPlaces = 500;
const longestPlace = 300;

/**
 * What is asked for: hosts of public addresses, all of other addresses, paths and names of files and things; what is long is told apart
 * by its hash.
 */
function placesIn(args: Arguments): {
  readonly names: readonly string[];
  readonly isPublic: boolean;
  readonly isNamesOnly: boolean;
} {
  const hosts = new Set<string>();
  const paths = new Set<string>();
  let isPublic = true;
  let isNamesOnly = true;
  const look = (key: string, value: unknown): void => {
    if (typeof value === 'object' && value !== null) {
      for (const [name, one] of Object.entries(value)) look(Array.isArray(value) ? key : name, one);
      return;
    }
    const address = typeof value === 'string' ? addressOf(key, value) : null;
    if (address) {
      hosts.add(shortened(address.isPublic ? address.host : address.address));
      isPublic &&= address.isPublic;
    } else if (typeof value === 'string' ? isPath(key, value) : namesThing.test(key))
      paths.add(shortened(String(value)));
    else isNamesOnly = false;
  };
  look('', args);
  return { names: [...hosts, ...paths], isPublic, isNamesOnly };
}

const namesThing = /(?:path|file|folder|directory|dir|doc|note|id|name|key|number)s?$/i;
const isPath = (key: string, value: string) =>
  namesThing.test(key) || (value.length <= longestPlace && /^[^\n]*[^\s/\\]\.[a-z0-9]{1,8}$/i.test(value));

/** The same source with what was read there. What is not private is anybody’s, whatever it says. */
export const withContent = (source: ReadSource, text: string): ReadSource =>
  source.reads.includes('private')
    ? { ...source, contents: [createHash('sha256').update(text).digest('base64url').slice(0, 20)] }
    : source;

const shortened = (text: string) =>
  text.length <= longestPlace
    ? text
    : `${text.slice(0, longestPlace)}… ${createHash('sha256').update(text).digest('hex').slice(0, 16)}`;
