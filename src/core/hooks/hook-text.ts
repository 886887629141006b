import { applyEdits, findNodeAtLocation, getNodeValue, type JSONPath, modify, parseTree } from 'jsonc-parser';
import type { z } from 'zod';
import { changedFault, changedNumber } from '../../contract/changed-number';
import { Hook, type HookProblem } from '../../contract/hooks';
import { jsoncFault } from '../foundation';

/** What the text of a `hooks.json` holds: JSON with comments. */
export interface HookText {
  readonly hooks: readonly Hook[];
  /** Of the text as a whole, then nothing of it is used, or of single hooks. */
  readonly problems: readonly HookProblem[];
}

interface Entry {
  /** Place in the list. */
  readonly at: number;
  readonly name: string | null;
}

const mostHooks = 1_000;
const start = '{\n  "hooks": []\n}\n';

export function readHookText(text: string): HookText {
  if (text.trim() === '') return { hooks: [], problems: [] };
  let [place, line] = [0, 1];
  const lineAt = (offset: number) => {
    const breaks = text.slice(Math.min(place, offset), Math.max(place, offset)).split('\n').length - 1;
    line += offset < place ? -breaks : breaks;
    place = offset;
    return line;
  };
  const fault = jsoncFault(text, { allowTrailingComma: true });
  if (fault) {
    const message = `The file is not JSON: ${fault.message}.`;
    return { hooks: [], problems: [{ message, line: lineAt(fault.offset) }] };
  }
  const root = parseTree(text, [], { allowTrailingComma: true });
  const list = root && findNodeAtLocation(root, ['hooks']);
  if (root?.type !== 'object' || (list && list.type !== 'array'))
    return { hooks: [], problems: [{ message: 'An object with a list “hooks” is expected.', line: 1 }] };

  const hooks: Hook[] = [];
  const problems: HookProblem[] = [];
  const names = new Set<string>();
  const listed = list?.children ?? [];
  for (const node of listed.slice(0, mostHooks)) {
    const parsed = Hook.safeParse(getNodeValue(node));
    if (!parsed.success) {
      for (const { path, message } of parsed.error.issues) {
        const faulty = findNodeAtLocation(node, path as JSONPath) ?? node;
        const where = path.length > 0 ? `${path.join('.')}: ` : '';
        const words = message.replaceAll('"|"', '”, “').replaceAll(/"([^"]*)"/g, '“$1”');
        problems.push({ message: `${where}${words}`, line: lineAt(faulty.offset) });
      }
      continue;
    }
    const hook = parsed.data;
    const number = changedNumber(text.slice(node.offset, node.offset + node.length));
    const fault = names.has(hook.name)
      ? `There are two hooks “${hook.name}”.`
      : (faultOf(hook) ?? (number && `It ${changedFault(number)}.`));
    if (fault) problems.push({ message: `${hook.name}: ${fault}`, line: lineAt(node.offset) });
    else {
      hooks.push(hook);
      names.add(hook.name);
    }
  }
  const [beyond] = listed.slice(mostHooks);
  if (beyond) {
    const message = `Only the first ${mostHooks.toLocaleString('en')} of the ${listed.length.toLocaleString('en')} hooks are used.`;
    problems.push({ message, line: lineAt(beyond.offset) });
  }
  return { hooks, problems };
}

/** What a hook lacks for what it is to do, though each of its parts is right. */
export function faultOf({ on, every, run, in: note }: Hook): string | null {
  if (on === 'schedule' && every === undefined) return 'A schedule needs “every”.';
  if ('tool' in run) return /^[^/]+\/./.test(run.tool) ? null : 'The tool is named “server/tool”.';
  if (note !== undefined) return null;
  if (on === 'schedule') return 'Say which note it works on (“in”).';
  // Two answers at once would write into one note.
  return on === 'before-answer' || on === 'before-tool-call' || on === 'after-tool-call'
    ? 'An answer is about to be written into the note then: say which other note it works on (“in”).'
    : null;
}

/** The text with the hook in the place of the one named `replaces`, or at its end. Comments stay. */
export function withHook(text: string, hook: z.input<typeof Hook>, replaces: string | null): string {
  const entry = replaces === null ? undefined : entries(text).find(({ name }) => name === replaces);
  if (!entry) return edited(text.trim() === '' ? start : text, ['hooks', -1], hook);
  const before = valueAt(text, entry.at);
  const keys = new Set([...Object.keys(before), ...Object.keys(hook)]);
  const after: Record<string, unknown> = { ...hook };
  return [...keys]
    .filter((key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]))
    .reduce((changed, key) => edited(changed, ['hooks', entry.at, key], after[key]), text);
}

export function withoutHook(text: string, name: string): string {
  const hook = entries(text).find((entry) => entry.name === name);
  return hook ? edited(text, ['hooks', hook.at], undefined) : text;
}

/** The same hook where it does not name the server. */
export function withServer(hook: Hook, from: string, to: string): Hook {
  const renamed = (name: string) => (name.startsWith(`${from}/`) ? to + name.slice(from.length) : name);
  const run = 'tool' in hook.run ? { ...hook.run, tool: renamed(hook.run.tool) } : hook.run;
  const after = { ...hook, ...(hook.tool !== undefined && { tool: renamed(hook.tool) }), run };
  return JSON.stringify(after) === JSON.stringify(hook) ? hook : after;
}

const treeOf = (text: string) =>
  jsoncFault(text, { allowTrailingComma: true })
    ? undefined
    : parseTree(text, [], { allowTrailingComma: true });

function entries(text: string): Entry[] {
  const root = treeOf(text);
  const list = root && findNodeAtLocation(root, ['hooks']);
  return (list?.children ?? []).map((node, at) => {
    const name: unknown = findNodeAtLocation(node, ['name'])?.value;
    return { at, name: typeof name === 'string' ? name : null };
  });
}

function valueAt(text: string, at: number): Record<string, unknown> {
  const root = treeOf(text);
  const node = root && findNodeAtLocation(root, ['hooks', at]);
  return node ? (getNodeValue(node) as Record<string, unknown>) : {};
}

function edited(text: string, path: JSONPath, value: unknown): string {
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const indent = /\n([ \t]+)"/.exec(text)?.[1] ?? '  ';
  const formattingOptions = { insertSpaces: !indent.includes('\t'), tabSize: indent.length, eol };
  const isArrayInsertion = path.at(-1) === -1;
  return applyEdits(text, modify(text, path, value, { formattingOptions, isArrayInsertion }));
}
