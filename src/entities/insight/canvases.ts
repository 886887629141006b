import { parse } from 'jsonc-parser';
import { toFailure } from '../base/failures';
import { entityShown, parseCanvas } from '../canvas/canvas';
import { edited, withItems } from '../canvas/canvas-text';
import type { Entities } from '../entity/index/entities';
import type { Draft } from '../store/batch/draft';
import type { Store } from '../store/store';
import { withKey } from './doctor';
import type { Finding, FindingCode, Repair } from './finding';
import { keepBeside, wrongInCanvas } from './rewrite-canvas';

/** Canvases that nothing can show, or put a card on. */
export async function damagedCanvases(store: Store, entities: Entities): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  const all = await store.list();
  const files = new Set(all.map(({ path }) => path));
  for (const { path } of all) {
    if (!path.endsWith('.canvas')) continue;
    const add = (value: string, repair: Finding['repair']) =>
      findings.push(withKey({ code: 'damaged_canvas', path, id: null, field: null, value, repair }));
    try {
      const text = (await store.find(path))?.text ?? '';
      const wrong = wrongInCanvas(path, text);
      if (wrong !== null) add(wrong, { kind: 'rewrite' });
      else
        findings.push(
          ...wrongOnCanvas(path, text, entities, (file) => files.has(file)).map(({ finding }) => finding),
        );
    } catch (error) {
      const { code, message } = toFailure(error);
      if (code === 'internal') throw error;
      add(message, null);
    }
  }
  return findings;
}

const ofCanvas: ReadonlySet<FindingCode> = new Set(['dead_node', 'double_node', 'loose_edge']);

export function isOfCanvas({ code }: Finding): boolean {
  return ofCanvas.has(code);
}

/**
 * Takes what these keys name out of a canvas or puts it right there; every other byte stays. Where somebody's words go with
 * it, what the canvas was stays in a text beside it.
 */
export async function repairOnCanvas(
  path: string,
  keys: ReadonlySet<string>,
  draft: Draft,
  entities: Entities,
  exists: (path: string) => boolean,
): Promise<void> {
  const text = (await draft.read(path))?.text ?? '';
  const wrong = wrongOnCanvas(path, text, entities, exists).filter(({ finding }) => keys.has(finding.key));
  let now = text;
  let hasLost = false;
  for (const [list, ofList] of Map.groupBy(wrong, (each) => each.list)) {
    const byIndex = Map.groupBy(ofList, ({ index }) => index);
    now = withItems(now, list, (item, index) => {
      const left = (byIndex.get(index) ?? []).reduce<string | null>(
        (before, { finding }) => repaired(before, finding),
        item,
      );
      hasLost ||= left === null && hasWords(item);
      return left;
    });
  }
  if (hasLost) await keepBeside(path, text, draft);
  if (now !== text) await draft.write(path, now);
}

/** What says where an item stands and what it shows. */
const usualKeys: ReadonlySet<string> = new Set([
  ...['id', 'type', 'file', 'subpath', 'x', 'y', 'width', 'height', 'color'],
  ...['fromNode', 'fromSide', 'fromEnd', 'toNode', 'toSide', 'toEnd'],
]);

const hasWords = (item: string) =>
  Object.keys((parse(item) as Record<string, unknown> | null) ?? {}).some((key) => !usualKeys.has(key));

function repaired(item: string | null, { repair }: Finding): string | null {
  return item !== null && repair?.kind === 'set' ? edited(item, [repair.field], repair.to) : null;
}

interface Wrong {
  readonly finding: Finding;
  readonly list: 'nodes' | 'edges';
  readonly index: number;
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
  const wrongs: Wrong[] = [];
  const add = (
    [list, index]: readonly ['nodes' | 'edges', number],
    code: FindingCode,
    field: string,
    value: string,
    repair: Repair,
  ) => wrongs.push({ finding: withKey({ code, path, id: null, field, value, repair }), list, index });
  const nodeIds = new Set(nodes.map(({ id }) => id));
  const freeId = idsBeside(nodeIds);
  const before = new Set<string>();
  for (const [index, node] of nodes.entries()) {
    const { id, type, file } = node;
    const place = ['nodes', index] as const;
    if (before.has(id)) {
      const repair: Repair = { kind: 'set', field: 'id', to: freeId(id) };
      add(place, 'double_node', 'id', `${id} (${index + 1})`, repair);
    }
    before.add(id);
    if (type !== 'file' || !file || exists(file)) continue;
    const to = entityShown(node, { at, get: entities.get, exists })?.path;
    const repair: Repair =
      to === undefined ? { kind: 'drop', field: 'nodes', id } : { kind: 'set', field: 'file', to };
    add(place, 'dead_node', 'file', file, repair);
  }
  for (const [index, { id, fromNode, toNode }] of edges.entries()) {
    const missing = [fromNode, toNode].filter((each) => !nodeIds.has(each));
    if (missing.length === 0) continue;
    const repair: Repair = { kind: 'drop', field: 'edges', id };
    add(['edges', index], 'loose_edge', 'edges', `${id}: ${missing.join(', ')}`, repair);
  }
  return wrongs;
}

/** Gives `id-2`, then `id-3`, as far as nobody has them. */
function idsBeside(present: ReadonlySet<string>): (id: string) => string {
  const ids = new Set(present);
  const counts = new Map<string, number>();
  return (id) => {
    let count = counts.get(id) ?? 2;
    while (ids.has(`${id}-${count}`)) count++;
    counts.set(id, count + 1);
    ids.add(`${id}-${count}`);
    return `${id}-${count}`;
  };
}
