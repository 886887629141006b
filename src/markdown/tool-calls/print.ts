import type { NotePart, ToolResult } from '../model';
import { printToolBody } from './body';
import { encodeText, printName, printWord } from './words';

export function printToolBlock(
  server: string,
  tool: string,
  args: Readonly<Record<string, unknown>>,
): string {
  return fenced(printName(server), printToolBody(tool, args));
}

/** A whole callout, ending without a line break; blank lines must stand around it. */
export function printToolCall(call: {
  server: string;
  tool: string;
  arguments: Readonly<Record<string, unknown>>;
  result: ToolResult;
}): string {
  const { server, tool, result } = call;
  return printCallout('tool', titleOf(server, tool, result), [
    printToolBlock(server, tool, call.arguments),
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
  const line = title.toWellFormed().replace(/[\p{Cc}\u2028\u2029]+/gu, ' ');
  const head = `> [!${type}]${fold} ${line}`.trimEnd();
  const lines = content.flatMap((part) => part.split(/\r\n?|\n/));
  return [head, ...lines.map((line) => (line === '' ? '>' : `> ${line}`))].join('\n');
}

function titleOf(server: string, tool: string, { state, ms }: ToolResult): string {
  const end = state === 'ok' ? [] : [state];
  return [...(server === '' ? [] : [server]), tool, ...end, ...(ms === null ? [] : [`${ms} ms`])].join(' · ');
}

function printResult(result: ToolResult): string[] {
  const [first, ...others] = result.parts;
  const inside = first?.kind === 'text' ? encodeText(first.text) : null;
  const info = ['result', ...wordsOf(result), ...(inside?.words ?? [])].join(' ');
  const rest = first && !inside ? [first, ...others] : others;
  return [fenced(info, inside?.body ?? null), ...rest.map(printPart)];
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
      return fenced('json', JSON.stringify(part.value, null, 2) ?? 'null');
    case 'resource': {
      const { body, words } = encodeText(part.text);
      return fenced(['resource', `uri=${printWord(part.uri)}`, ...words].join(' '), body);
    }
    case 'picture':
      return plainTarget.test(part.target) ? `![[${part.target}]]` : `![](${destination(part.target)})`;
    case 'link':
      return `[${entities(part.name.replace(/[\\[\]]/g, '\\$&'))}](${destination(part.uri)})`;
  }
}

const plainTarget = /^[^\s[\]|#^\\&\p{C}](?:[^[\]|#^\\&\p{C}\u2028\u2029]*[^\s[\]|#^\\&\p{C}])?$/u;

function destination(uri: string): string {
  const written = entities(uri);
  return /^[^\s<>()\\]+$/.test(written)
    ? written
    : `<${written.replace(/[<>\\]/g, (unit) => `&#${unit.charCodeAt(0)};`)}>`;
}

/** Control characters, and anything that would be read as one written this way, as `&#10;`. */
function entities(text: string): string {
  return text.replace(/&(?=#\d+;)|[\p{Cc}\p{Cs}\u2028\u2029]/gu, (unit) => `&#${unit.charCodeAt(0)};`);
}

/** A fence longer than any run of backticks inside. Null is a fence without any line. */
export function fenced(info: string, body: string | null): string {
  const longest = Math.max(2, ...(body?.match(/`+/g) ?? []).map((run) => run.length));
  const mark = '`'.repeat(longest + 1);
  return [mark + info, ...(body === null ? [] : [body]), mark].join('\n');
}
