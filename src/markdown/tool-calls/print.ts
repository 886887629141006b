import type { NotePart, ToolResult } from '../model';
import { printToolBody } from './body';
import { withArguments } from './noted';
import { encodeText, hasMark, partSum, printName, printWord, withoutTags } from './words';

export function printToolBlock(
  server: string,
  tool: string,
  args: Readonly<Record<string, unknown>>,
): string {
  return fenced(printName(server), printToolBody(tool, args));
}

/** A person's block, as it stands in the note behind its `indent`, with other arguments. */
export function reprintToolBlock(
  block: string,
  indent: string,
  { server, tool }: { readonly server: string; readonly tool: string },
  args: Readonly<Record<string, unknown>>,
): string {
  const lines = block.split('\n').slice(1, -1);
  const mark = new RegExp(`^[ \\t]{0,${indent.length}}`);
  const body = lines.map((line) => line.replace(mark, '')).join('\n');
  const printed = fenced(printName(server), withArguments(body, tool, args));
  return printed.replaceAll('\n', `\n${indent}`);
}

/** A whole callout, ending without a line break; blank lines must stand around it. */
export function printToolCall(call: {
  server: string;
  tool: string;
  arguments: Readonly<Record<string, unknown>>;
  result: ToolResult;
  /** What stands in its block already. */
  body?: string | null;
}): string {
  const { server, tool, result, arguments: args, body } = call;
  return printCallout('tool', titleOf(server, tool, result), [
    body == null
      ? printToolBlock(server, tool, args)
      : fenced(printName(server), withArguments(body, tool, args)),
    ...printResult(result),
  ]);
}

/** The callout that stands below a block run by hand. */
export function printBlockResult(server: string, tool: string, result: ToolResult): string {
  return printCallout('tool', titleOf(server, tool, result), printResult(result));
}

/** A folded callout; every line of its content, however it breaks lines, stays inside. */
export function printCallout(
  type: string,
  title: string,
  content: readonly string[],
  fold: '-' | '' = '-',
): string {
  const words = title.toWellFormed().replace(/[\p{Cc}\u2028\u2029]+/gu, ' ');
  const plain = olderTitle.test(words.trim()) ? `· ${words}` : words;
  const line = hasMark(words) ? plain.replaceAll('#', '\\#') : plain;
  const head = `> [!${type}]${fold} ${line}`.trimEnd();
  const lines = content.flatMap((part) => part.split(/\r\n?|\n/));
  return [head, ...lines.map((line) => (line === '' ? '>' : `> ${line}`))].join('\n');
}

/** By which the reader knows the older plugin’s cards. */
const olderTitle = /^Tool (?:Call \(|Result)/;

function titleOf(server: string, tool: string, { state, ms }: ToolResult): string {
  const end = state === 'ok' ? [] : [state];
  return [...(server === '' ? [] : [server]), tool, ...end, ...(ms === null ? [] : [`${ms} ms`])].join(' · ');
}

function printResult(result: ToolResult): string[] {
  const [first, ...others] = result.parts;
  const inside = first?.kind === 'text' ? encodeText(first.text) : null;
  const rest = first && !inside ? [first, ...others] : others;
  const below = rest.map(printPart);
  const parts = `parts=${below.map(partSum).join(',') || '0'}`;
  const info = ['result', ...wordsOf(result), parts, ...(inside?.words ?? [])].join(' ');
  return [fenced(info, inside?.body ?? null), ...below];
}

function wordsOf({ state, ms, at, turn, cached, truncated, definition, other }: ToolResult): string[] {
  return [
    state,
    ...(ms === null ? [] : [`ms=${ms}`]),
    ...(at === null ? [] : [`at=${printWord(at)}`]),
    ...(turn === null ? [] : [`turn=${turn}`]),
    ...(cached ? ['cached'] : []),
    ...(truncated ? ['truncated'] : []),
    ...(definition === null ? [] : [`def=${printWord(definition)}`]),
    ...other.filter((word) => word !== '' && !/[\s`\p{Cc}]/u.test(word) && word.isWellFormed()),
  ];
}

export function printPart(part: NotePart): string {
  switch (part.kind) {
    case 'text': {
      const { body, words } = encodeText(part.text);
      return fenced(['text', ...words].join(' '), body);
    }
    case 'json':
      return fenced('json', withoutTags(JSON.stringify(part.value, null, 2) ?? 'null'));
    case 'resource': {
      const { body, words } = encodeText(part.text);
      return fenced(['resource', `uri=${printWord(part.uri)}`, ...words].join(' '), body);
    }
    case 'picture':
      return plainTarget.test(part.target) ? `![[${part.target}]]` : `![](${destination(part.target)})`;
    case 'link':
      return printLink(part.name, part.uri);
    case 'file':
      return printLink(part.name, part.target);
  }
}

const printLink = (name: string, uri: string) =>
  `[${entities(name.replace(/[\\[\]]/g, '\\$&')).replace(/^!/, '&#33;')}](${destination(uri)})`;

const plainTarget = /^[^\s[\]|#^\\&\p{C}](?:[^[\]|#^\\&\p{C}\u2028\u2029]*[^\s[\]|#^\\&\p{C}])?$/u;

function destination(uri: string): string {
  const target = entities(uri);
  return /^[^\s<>()\\]+$/.test(target)
    ? target
    : `<${target.replace(/[<>\\]/g, (unit) => `&#${unit.charCodeAt(0)};`)}>`;
}

/** Control characters, and anything that would be read as one written this way, as `&#10;`. */
function entities(text: string): string {
  const unsafe = hasMark(text) ? /[&#\p{Cc}\p{Cs}\u2028\u2029]/gu : /&(?=#\d+;)|[\p{Cc}\p{Cs}\u2028\u2029]/gu;
  return text.replace(unsafe, (unit) => `&#${unit.charCodeAt(0)};`);
}

/** A fence longer than any run of backticks inside. Null is a fence without any line. */
export function fenced(info: string, body: string | null): string {
  const longest = (body?.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 2);
  const mark = '`'.repeat(longest + 1);
  return [mark + info, ...(body === null ? [] : [body]), mark].join('\n');
}
