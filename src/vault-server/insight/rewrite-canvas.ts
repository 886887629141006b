import { type ParseError, parse, visit } from 'jsonc-parser';
import { parseCanvas, size } from '../canvas';
import { edited, without, withoutMark } from '../canvas-text';
import { ToolFailure, toFailure } from '../failures';
import type { Draft } from '../files/draft';
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
  if (hasLost) {
    await draft.write(await freePath(path.replace(/\.canvas$/, ' (damaged)'), draft), before.text);
  }
  await draft.write(path, mark + text);
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
  const read: unknown = parse(damaged, [], { allowTrailingComma: true });
  const anew = withSoundItems(`${JSON.stringify(read, null, '\t')}\n`);
  if (!anew || wrongInCanvas(path, anew.text) !== null) return { text: '', hasLost: true };
  return { text: anew.text, hasLost: anew.hasLost || losesWords(damaged, anew.text) };
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
  return stray.reduceRight((now, at) => now.slice(0, at) + now.slice(at + 1), text);
}

type Item = Readonly<Record<string, unknown>>;

/** Null where it is no JSON, or holds nothing of a canvas. */
function withSoundItems(start: string): Repaired | null {
  const whole = asItem(jsonOf(start));
  if (!whole) return null;
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
    // From the last one, so that what goes moves none that is still to be looked at.
    for (const [at, value] of [...items.entries()].reverse()) {
      const item = asItem(value);
      const wanted = item && (list === 'nodes' ? soundNode(item, at) : soundEdge(item, at));
      if (!item || !wanted) {
        text = without(text, list, at);
        hasLost = true;
        continue;
      }
      for (const [key, sound] of Object.entries(wanted)) {
        if (item[key] === sound) continue;
        text = edited(text, [list, at, key], sound);
        hasLost ||= item[key] !== undefined && item[key] !== null && String(item[key]) !== String(sound);
      }
    }
  }
  return { text, hasLost };
}

/** What a node has to have; undefined for a key that has to go. */
function soundNode(node: Item, at: number): Item {
  const number = (key: string, otherwise: number): number => {
    const value = typeof node[key] === 'string' ? Number.parseFloat(node[key]) : node[key];
    return typeof value === 'number' && Number.isFinite(value) ? value : otherwise;
  };
  const file = typeof node.file === 'string' ? node.file : undefined;
  return {
    id: nameOf(node.id) ?? `node-${at + 1}`,
    type: typeof node.type === 'string' ? node.type : file === undefined ? 'text' : 'file',
    x: number('x', 0),
    y: number('y', 0),
    width: number('width', size.width),
    height: number('height', size.height),
    ...('file' in node && { file }),
  };
}

/** Null for an edge that tells of no two nodes. */
function soundEdge(edge: Item, at: number): Item | null {
  const [fromNode, toNode] = [nameOf(edge.fromNode), nameOf(edge.toNode)];
  if (fromNode === null || toNode === null) return null;
  return { id: nameOf(edge.id) ?? `edge-${at + 1}`, fromNode, toNode };
}

/** Some programs number their nodes. */
function nameOf(value: unknown): string | null {
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : null;
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
