import { parse } from 'jsonc-parser';
import { edited, emptyCanvas, entityShown, parseCanvas, size, without } from '../canvas';
import type { Entities } from '../entities/catalog';
import { ToolFailure, toFailure } from '../failures';
import type { Draft } from '../files/draft';
import type { Store } from '../files/store';
import { withKey } from './doctor';
import type { Finding, FindingCode, Repair } from './finding';
import { wordsOf } from './lost-words';

/** Canvases that nothing can show, or put a card on. */
export async function damagedCanvases(store: Store, entities: Entities): Promise<readonly Finding[]> {
  const found: Finding[] = [];
  const all = await store.list();
  const files = new Set(all.map(({ path }) => path));
  for (const { path } of all) {
    if (!path.endsWith('.canvas')) continue;
    const add = (value: string, repair: Finding['repair']) =>
      found.push(withKey({ code: 'damaged_canvas', path, id: null, field: null, value, repair }));
    try {
      const text = (await store.find(path))?.text ?? '';
      const wrong = whatIsWrong(path, text);
      if (wrong !== null) add(wrong, { kind: 'rewrite' });
      else
        found.push(
          ...wrongOnCanvas(path, text, entities, (file) => files.has(file)).map(({ finding }) => finding),
        );
    } catch (error) {
      const { code, message } = toFailure(error);
      if (code === 'internal') throw error;
      add(message, null);
    }
  }
  return found;
}

const ofCanvas: ReadonlySet<FindingCode> = new Set(['dead_node', 'double_node', 'loose_edge']);

export function isOfCanvas({ code }: Finding): boolean {
  return ofCanvas.has(code);
}

/** Takes one thing out of a canvas or puts it right there; every other byte stays. */
export async function repairOnCanvas(
  { key, path }: Finding,
  draft: Draft,
  entities: Entities,
  exists: (path: string) => boolean,
): Promise<void> {
  const text = (await draft.read(path))?.text ?? '';
  const found = wrongOnCanvas(path, text, entities, exists).find(({ finding }) => finding.key === key);
  if (found) await draft.write(path, found.repaired());
}

interface Wrong {
  readonly finding: Finding;
  readonly repaired: () => string;
}

/** Nodes of notes that are nowhere, nodes that share an id, edges that lead nowhere. */
function wrongOnCanvas(
  path: string,
  text: string,
  entities: Entities,
  exists: (path: string) => boolean,
): Wrong[] {
  const { nodes, edges } = parseCanvas(path, text);
  const at = new Map(entities.all().map((entity) => [entity.path, entity]));
  const found: Wrong[] = [];
  const add = (code: FindingCode, field: string, value: string, repair: Repair, repaired: () => string) =>
    found.push({ finding: withKey({ code, path, id: null, field, value, repair }), repaired });
  const ids = new Set<string>();
  for (const [index, node] of nodes.entries()) {
    const { id, type, file } = node;
    if (ids.has(id)) {
      let to = `${id}-2`;
      for (let count = 3; nodes.some((each) => each.id === to) || ids.has(to); count++) to = `${id}-${count}`;
      ids.add(to);
      add('double_node', 'id', `${id} (${index + 1})`, { kind: 'set', field: 'id', to }, () =>
        edited(text, ['nodes', index, 'id'], to),
      );
    }
    ids.add(id);
    if (type !== 'file' || !file || exists(file)) continue;
    const to = entityShown(node, { at, get: entities.get, exists })?.path;
    if (to === undefined)
      add('dead_node', 'file', file, { kind: 'drop', field: 'nodes', id }, () =>
        without(text, 'nodes', index),
      );
    else
      add('dead_node', 'file', file, { kind: 'set', field: 'file', to }, () =>
        edited(text, ['nodes', index, 'file'], to),
      );
  }
  const known = new Set(nodes.map(({ id }) => id));
  for (const [index, { id, fromNode, toNode }] of edges.entries()) {
    const gone = [fromNode, toNode].filter((each) => !known.has(each));
    if (gone.length === 0) continue;
    add('loose_edge', 'edges', `${id}: ${gone.join(', ')}`, { kind: 'drop', field: 'edges', id }, () =>
      without(text, 'edges', index),
    );
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
