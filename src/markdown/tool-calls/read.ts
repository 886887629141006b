import type { NotePart, ResultState, ToolResult } from '../model';
import { readToolBody } from './body';
import { type FenceItem, type Item, type ReadCallout, readCallout, unfinished } from './callout';
import { readOlderCall, readOlderResult } from './older-forms';
import { decodeText, readName, resultHead } from './words';

/**
 * Reads a tool callout of any form: what is shown of it, what it does when it is made again and what a model is told of it are
 * this one reading. Its names are those of its block; the title is for other programs. Null where it is something else under
 * the same name, and where more than one block could be its call.
 */
export function readToolCallout(text: string): ReadCallout | null {
  const callout = readCallout(text);
  if (callout?.type !== 'tool') return null;
  const { title, items } = callout;
  if (title.startsWith('Tool Call (')) return readOlderCall(title, items);
  if (title.startsWith('Tool Result')) return readOlderResult(title, items);

  const fences = items.filter((item) => item.kind === 'fence');
  const [first, second] = fences;
  if (!first) return null;
  const callFirst = !resultHead.test(first.info);
  if (fences.slice(1).some(couldBeCall)) return null;
  if (!callFirst) return { form: 'interlinear', call: null, result: readResult(items, first) };
  const source = first.lines.join('\n');
  const body = readToolBody(source);
  if (!body || body.tool === '') return null;
  return {
    form: 'interlinear',
    call: {
      server: readName(first.info),
      tool: body.tool,
      arguments: body.arguments ?? {},
      error: first.closedAt === null ? notClosed : body.error,
      body: source,
      closedAt: first.closedAt,
    },
    result: second && resultHead.test(second.info) ? readResult(items, second) : unfinished,
  };
}

/**
 * Where in a tool callout what the app wrote ends: behind its call, its result and that result's parts. Lines of others below are
 * a part of the callout only because they stand directly below.
 */
export function resultEnd(text: string): number {
  const whole = text.trimEnd().length;
  const callout = readCallout(text);
  if (!callout || callout.title.startsWith('Tool ')) return whole;
  const { items } = callout;
  const [first] = items;
  if (first?.kind !== 'fence') return whole;
  const second = items[1];
  const isCall = !resultHead.test(first.info);
  const head = isCall && second?.kind === 'fence' && resultHead.test(second.info) ? second : first;
  const own = items.slice(0, items.indexOf(head) + 1 + partsBelow(items, head).length);
  const lineCount = own.reduce((sum, item) => sum + linesOf(item), 1);
  const end = text.split('\n', lineCount).join('\n').length;
  return /^[>\s]*$/.test(text.slice(end)) ? whole : end;
}

const linesOf = (item: Item): number =>
  item.kind === 'line' ? 1 : item.lines.length + (item.closedAt === null ? 1 : 2);

/** Those that stand directly below a result and look like parts of one; as many as its head says, where it says it. */
function partsBelow(items: readonly Item[], head: FenceItem): readonly Item[] {
  if (!resultHead.test(head.info)) return [];
  const below = items.slice(items.indexOf(head) + 1);
  const other = below.findIndex((item) => !couldBePart(item));
  const together = other === -1 ? below : below.slice(0, other);
  return together.slice(0, readNumber(readWord(wordsOf(head), 'parts')) ?? together.length);
}

const couldBePart = (item: Item): boolean =>
  item.kind === 'line'
    ? readReference(item.text).length > 0
    : item.closedAt !== null && /^(?:text|json|resource)(?: |$)/.test(item.info);

const notClosed = 'The block in the callout is not closed.';

/** Of a kind that only a call has: what a result holds is in fences of its own names. */
function couldBeCall({ info, lines }: FenceItem): boolean {
  return (
    !/^(?:result|text|json|resource)(?: |$)/.test(info) && lines.some((line) => line.startsWith('tool:'))
  );
}

function readResult(items: readonly Item[], head: FenceItem): ToolResult {
  const words = wordsOf(head);
  const text = textOf(head, words);
  return {
    state: (words[0] ?? 'interrupted') as ResultState,
    ms: readNumber(readWord(words, 'ms')),
    at: readWord(words, 'at'),
    turn: readNumber(readWord(words, 'turn')),
    cached: words.includes('cached'),
    truncated: words.includes('truncated'),
    definition: readWord(words, 'def'),
    other: words.slice(1).filter((word) => !ours.test(word)),
    parts: [
      ...(text === null ? [] : [{ kind: 'text', text } as const]),
      ...partsBelow(items, head).flatMap(readPart),
    ],
  };
}

/** Of a result's head, without the name all have. */
const wordsOf = (head: FenceItem): readonly string[] => head.info.split(/\s+/).slice(1);

function readWord(words: readonly string[], name: string): string | null {
  const word = words.find((each) => each.startsWith(`${name}=`));
  return word === undefined ? null : readName(word.slice(name.length + 1));
}

const ours = /^(?:cached|truncated|escaped|eol=crlf|marks=escaped|(?:ms|at|turn|def|parts)=.*)$/s;

function readPart(item: Item): NotePart[] {
  if (item.kind === 'line') return readReference(item.text);
  const words = item.info.split(/\s+/);
  const text = textOf(item, words) ?? '';
  switch (words[0]) {
    case 'json':
      try {
        return [{ kind: 'json', value: JSON.parse(text) as unknown }];
      } catch {
        return [{ kind: 'text', text }];
      }
    case 'resource': {
      const uri = words.find((word) => word.startsWith('uri='));
      return [{ kind: 'resource', uri: readName((uri ?? 'uri=').slice(4)), text }];
    }
    default:
      return [{ kind: 'text', text }];
  }
}

function readReference(line: string): NotePart[] {
  const embed = /^!\[\[([^[\]|#]+)(?:\|[^\]]*)?\]\]$/.exec(line);
  if (embed?.[1] !== undefined) return [{ kind: 'picture', target: embed[1] }];
  const link = /^(!?)\[((?:[^\\[\]]|\\.)*)\]\((?:<([^<>]*)>|([^\s<>()]*))\)$/.exec(line);
  if (!link) return [];
  const uri = characters(link[3] ?? link[4] ?? '');
  if (link[1] === '!') return [{ kind: 'picture', target: uri }];
  return [{ kind: 'link', uri, name: characters(link[2] ?? '').replace(/\\([\\[\]])/g, '$1') }];
}

/** Null for a fence without any line. */
function textOf(fence: FenceItem, words: readonly string[]): string | null {
  return fence.lines.length === 0 ? null : decodeText(fence.lines.join('\n'), words);
}

function characters(text: string): string {
  return text.replace(/&#(\d{1,5});/g, (_, code: string) => String.fromCharCode(Number(code)));
}

function readNumber(text: string | null): number | null {
  const value = text === null || text === '' ? Number.NaN : Number(text);
  return Number.isFinite(value) ? value : null;
}
