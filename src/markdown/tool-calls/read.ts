import type { NotePart, ResultState, ToolResult } from '../model';
import { quoted } from '../scan';
import { readToolBody } from './body';
import { type FenceItem, type Item, linesOf, type ReadCallout, readCallout, unfinished } from './callout';
import { readOlderCall, readOlderResult } from './older-forms';
import { decodeText, partSum, readName, resultHead } from './words';

/**
 * Reads a tool callout of any form: what is shown of it, what it does when it is made again and what a model is told of it are
 * this one reading. Its names are those of its block; the title is for other programs. Null where it is something else under
 * the same name, and where more than one block could be its call.
 */
export function readToolCallout(text: string): ReadCallout | null {
  const callout = readCallout(text);
  if (callout?.type !== 'tool') return null;
  const { title, items } = callout;
  const fences = items.filter((item) => item.kind === 'fence');
  const heads = fences.filter(({ info }) => resultHead.test(info));
  const [head] = heads;
  if (!head && title.startsWith('Tool Call (')) return readOlderCall(title, items);
  if (!head && /^Tool Result(?: \(|$)/.test(title)) return readOlderResult(title, items);

  const [first] = fences;
  if (!first || heads.length > 1 || fences.slice(1).some(couldBeCall)) return null;
  const result = head ? [head, ...partsBelow(items, head)] : [];
  // A block of somebody's above it, of a kind that no call is.
  const isOther = /^(?:text|json|resource)?(?: |$)/.test(first.info) && !namesTool(first.lines);
  if (head && (first === head || isOther))
    return { form: 'interlinear', call: null, result: readResult(head, result), read: result, items };
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
    result: head ? readResult(head, result) : unfinished,
    read: [first, ...result],
    items,
  };
}

/**
 * A tool callout without the lines that are no part of its call or its result, and these lines as they stand there: somebody
 * wrote them below it or within. None, where there are none but blank ones.
 */
export function splitCallout(text: string): { readonly own: string; readonly others: string } {
  const callout = readToolCallout(text);
  const none = { own: text.trimEnd(), others: '' };
  if (!callout) return none;
  const lines = text.split('\n');
  const own = lines.slice(0, 1);
  const others: string[] = [];
  let at = 1;
  for (const item of callout.items) {
    const next = at + linesOf(item);
    const part = lines.slice(at, next);
    if (callout.read.includes(item)) own.push(...part);
    else others.push(...part.map((line) => (quoted(line) === null ? `> ${line}` : line)));
    at = next;
  }
  const isBlank = others.every((line) => quoted(line)?.trim() === '');
  return isBlank ? none : { own: own.join('\n'), others: others.join('\n') };
}

/** Those that its head knows again. A head that says nothing of them has what stands directly below and looks like one. */
function partsBelow(items: readonly Item[], head: FenceItem): readonly Item[] {
  const below = items.slice(items.indexOf(head) + 1);
  const word = readWord(wordsOf(head), 'parts');
  if (word === null) {
    const other = below.findIndex((item) => !couldBePart(item));
    return other === -1 ? below : below.slice(0, other);
  }
  let sums = word.split(',');
  return below.filter((item) => {
    const at = sums.indexOf(partSum(item.text));
    if (at !== -1) sums = sums.slice(at + 1);
    return at !== -1;
  });
}

const couldBePart = (item: Item): boolean =>
  item.kind === 'line'
    ? readReference(item.text).length > 0
    : item.closedAt !== null && /^(?:text|json|resource)(?: |$)/.test(item.info);

const notClosed = 'The block in the callout is not closed.';

/** Of a kind that only a call has: what a result holds is in fences of its own names. */
function couldBeCall({ info, lines }: FenceItem): boolean {
  return !/^(?:result|text|json|resource)(?: |$)/.test(info) && namesTool(lines);
}

const namesTool = (lines: readonly string[]) => lines.some((line) => line.startsWith('tool:'));

function readResult(head: FenceItem, [, ...parts]: readonly Item[]): ToolResult {
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
    parts: [...(text === null ? [] : [{ kind: 'text', text } as const]), ...parts.flatMap(readPart)],
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
