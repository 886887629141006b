import { parse } from 'jsonc-parser';
import { emptyCanvas, parseCanvas, size } from '../canvas';
import { ToolFailure, toFailure } from '../failures';
import type { Draft } from '../files/draft';
import type { Store } from '../files/store';
import { withKey } from './doctor';
import type { Finding } from './finding';
import { wordsOf } from './lost-words';

/** Canvases that nothing can show, or put a card on. */
export async function damagedCanvases(store: Store): Promise<readonly Finding[]> {
  const found: Finding[] = [];
  for (const { path } of await store.list()) {
    if (!path.endsWith('.canvas')) continue;
    const add = (value: string, repair: Finding['repair']) =>
      found.push(withKey({ code: 'damaged_canvas', path, id: null, field: null, value, repair }));
    try {
      const text = (await store.find(path))?.text ?? '';
      const wrong = whatIsWrong(path, text);
      if (wrong !== null) add(wrong, { kind: 'rewrite' });
    } catch (error) {
      const { code, message } = toFailure(error);
      if (code === 'internal') throw error;
      add(message, null);
    }
  }
  return found;
}

function whatIsWrong(path: string, text: string): string | null {
  try {
    parseCanvas(path, text);
    return null;
  } catch (error) {
    return toFailure(error).hint ?? '';
  }
}

/** With every node and edge that can be made out; where a word would be lost, what it was stays in a text beside it. */
export async function rewriteCanvas(path: string, draft: Draft): Promise<void> {
  const before = await draft.read(path);
  if (!before) throw new ToolFailure('not_found', `“${path}” is gone.`);
  const after = rewritten(path, before.text);
  const kept = new Set(wordsOf(after));
  if (wordsOf(before.text).some((word) => !kept.has(word))) {
    await draft.write(await freePath(path.replace(/\.canvas$/, ' (damaged)'), draft), before.text);
  }
  await draft.write(path, after);
}

async function freePath(start: string, draft: Draft): Promise<string> {
  for (let count = 1; ; count++) {
    const path = `${start}${count === 1 ? '' : ` ${count}`}.txt`;
    if (!(await draft.read(path))) return path;
  }
}

function rewritten(path: string, text: string): string {
  const read: unknown = parse(text, [], { allowTrailingComma: true });
  const whole = isRecord(read) ? read : {};
  const nodes = listOf(whole.nodes).map(asNode);
  const known = new Set<unknown>(nodes.map(({ id }) => id));
  const edges = listOf(whole.edges)
    .filter(({ fromNode, toNode }) => known.has(fromNode) && known.has(toNode))
    .map((edge, at) => ({ ...edge, id: typeof edge.id === 'string' ? edge.id : `edge-${at + 1}` }));
  const printed = `${JSON.stringify({ ...whole, nodes, edges }, null, '\t')}\n`;
  return whatIsWrong(path, printed) === null ? printed : emptyCanvas;
}

function asNode(node: Record<string, unknown>, at: number) {
  const number = (key: string, otherwise: number): number => {
    const value = Number(node[key] ?? Number.NaN);
    return Number.isFinite(value) ? value : otherwise;
  };
  const file = typeof node.file === 'string' ? { file: node.file } : {};
  return {
    ...node,
    id: typeof node.id === 'string' ? node.id : `node-${at + 1}`,
    type: typeof node.type === 'string' ? node.type : 'file' in file ? 'file' : 'text',
    x: number('x', 0),
    y: number('y', 0),
    width: number('width', size.width),
    height: number('height', size.height),
    file: undefined,
    ...file,
  };
}

function listOf(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
