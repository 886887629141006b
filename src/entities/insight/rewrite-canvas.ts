import { type ParseError, parse, visit } from 'jsonc-parser';
import { ToolFailure, toFailure } from '../base/failures';
import { parseCanvas, size } from '../canvas/canvas';
import { edited, withItems, withoutMark, writtenAt } from '../canvas/canvas-text';
import type { Draft } from '../store/batch/draft';
import { losesWords } from './lost-words';

/** Why it is no canvas; null for one. */
export function wrongInCanvas(path: string, text: string): string | null {
  try {
    parseCanvas(path, text);
    return null;
  } catch (error) {
    return toFailure(error).hint ?? '';
  }
}

/**
 * Puts right what keeps a canvas from being read, and nothing else of it. Where something had to go, or was printed anew
 * and lost a word, what it was stays in a text beside it.
 */
export async function rewriteCanvas(path: string, draft: Draft): Promise<void> {
  const before = await draft.read(path);
  if (!before) throw new ToolFailure('not_found', `“${path}” is gone.`);
  const mark = before.text.slice(0, before.text.length - withoutMark(before.text).length);
  const { text, hasLost } = repaired(path, withoutMark(before.text));
  if (hasLost) await keepBeside(path, before.text, draft);
  await draft.write(path, mark + text);
}

/** What a canvas was stays in a text beside it. */
export async function keepBeside(path: string, text: string, draft: Draft): Promise<void> {
  await draft.write(await freePath(path.replace(/\.canvas$/, ' (damaged)'), draft), text);
}

async function freePath(start: string, draft: Draft): Promise<string> {
  for (let count = 1; ; count++) {
    const path = `${start}${count === 1 ? '' : ` ${count}`}.txt`;
    if (!(await draft.read(path))) return path;
  }
}

interface Repaired {
  readonly text: string;
  readonly hasLost: boolean;
}

function repaired(path: string, damaged: string): Repaired {
  const inPlace = withSoundItems(withoutStrayCommas(damaged));
  if (inPlace && wrongInCanvas(path, inPlace.text) === null) return inPlace;
  const parsed: unknown = parse(damaged, [], { allowTrailingComma: true });
  const anew = withSoundItems(`${JSON.stringify(parsed, null, '\t')}\n`);
  if (!anew || wrongInCanvas(path, anew.text) !== null) return { text: '', hasLost: true };
  const hasLost = anew.hasLost || losesWords(damaged, anew.text) || losesNumbers(damaged, anew.text);
  return { text: anew.text, hasLost };
}

/** JSON that is printed anew has no more digits of a number than were read. */
function losesNumbers(before: string, after: string): boolean {
  const numbers = (text: string) => text.match(/\d[\d.eE+-]*/g) ?? [];
  const numbersAfter = new Set(numbers(after));
  return numbers(before).some((number) => !numbersAfter.has(number));
}

/** Commas behind the last of a list are all that many a writer by hand leaves. */
function withoutStrayCommas(text: string): string {
  const errors: ParseError[] = [];
  parse(text, errors, { allowTrailingComma: true, disallowComments: true });
  if (errors.length > 0) return text;
  const stray: number[] = [];
  const onSeparator = (character: string, at: number): void => {
    if (character === ',' && /^,\s*[\]}]/.test(text.slice(at))) stray.push(at);
  };
  visit(text, { onSeparator }, { allowTrailingComma: true });
  return [-1, ...stray].map((at, index) => text.slice(at + 1, stray[index])).join('');
}

type Item = Readonly<Record<string, unknown>>;
/** What the item is or points to, by the key that says so; null: nothing. */
type NameOf = (key: string) => string | null;

/** Null where it is no JSON, or holds nothing of a canvas. */
function withSoundItems(start: string): Repaired | null {
  const whole = asItem(jsonOf(start));
  if (!whole) return null;
  const names = namesIn(whole);
  let text = start;
  let hasLost = false;
  for (const list of ['nodes', 'edges'] as const) {
    const items = whole[list];
    if (items === undefined) continue;
    if (!Array.isArray(items)) {
      text = edited(text, [list], []);
      hasLost = true;
      continue;
    }
    text = withItems(text, list, (before, at) => {
      const item = asItem(items[at]);
      const nameOf: NameOf = (key) => nameFor(item?.[key], () => writtenAt(before, [key]), names);
      const soundItem = item && (list === 'nodes' ? soundNode(item, at, nameOf) : soundEdge(at, nameOf));
      if (!item || !soundItem) {
        hasLost = true;
        return null;
      }
      let now = before;
      for (const [key, sound] of Object.entries(soundItem)) {
        if (item[key] === sound) continue;
        const value = typeof item[key] === 'number' ? writtenAt(before, [key]) : item[key];
        now = edited(now, [key], sound);
        hasLost ||= value !== undefined && value !== null && String(value) !== String(sound);
      }
      return now;
    });
  }
  return { text, hasLost };
}

/** What a node has to have; undefined for a key that has to go. */
function soundNode(node: Item, at: number, nameOf: NameOf): Item {
  const number = (key: string, otherwise: number): number => {
    const value = typeof node[key] === 'string' ? Number.parseFloat(node[key]) : node[key];
    return typeof value === 'number' && Number.isFinite(value) ? value : otherwise;
  };
  const file = typeof node.file === 'string' ? node.file : undefined;
  return {
    id: nameOf('id') ?? `node-${at + 1}`,
    type: typeof node.type === 'string' ? node.type : file === undefined ? 'text' : 'file',
    x: number('x', 0),
    y: number('y', 0),
    width: number('width', size.width),
    height: number('height', size.height),
    ...('file' in node && { file }),
  };
}

/** Null for an edge that tells of no two nodes. */
function soundEdge(at: number, nameOf: NameOf): Item | null {
  const [fromNode, toNode] = [nameOf('fromNode'), nameOf('toNode')];
  if (fromNode === null || toNode === null) return null;
  return { id: nameOf('id') ?? `edge-${at + 1}`, fromNode, toNode };
}

/** Some programs number their nodes: by all digits that are written, and none takes the name of another node. */
function nameFor(value: unknown, written: () => string | null, names: ReadonlySet<string>): string | null {
  if (typeof value !== 'number') return typeof value === 'string' ? value : null;
  let name = written() ?? String(value);
  while (names.has(name)) name = `number-${name}`;
  return name;
}

/** Of the nodes that have one. */
function namesIn({ nodes }: Item): ReadonlySet<string> {
  const ids = Array.isArray(nodes) ? nodes.map((node) => asItem(node)?.id) : [];
  return new Set(ids.filter((id) => typeof id === 'string'));
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function asItem(value: unknown): Item | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Item) : null;
}
