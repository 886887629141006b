import { entityShown, parseCanvas } from '../canvas';
import { edited, without } from '../canvas-text';
import type { Entities } from '../entities/catalog';
import { toFailure } from '../failures';
import type { Draft } from '../files/draft';
import type { Store } from '../files/store';
import { withKey } from './doctor';
import type { Finding, FindingCode, Repair } from './finding';
import { wrongInCanvas } from './rewrite-canvas';

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
      const wrong = wrongInCanvas(path, text);
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
