import { z } from 'zod';
import { isUnder, movedPath } from '../../contract/paths';
import { ToolFailure, toFailure } from '../base/failures';
import { type Entity, idsIn } from '../entity/model/model';
import type { Lookup } from '../entity/references/references';
import type { Draft } from '../store/batch/draft';
import { edited, plainPath, withAppended, withItems, withoutMark } from './canvas-text';

const CanvasNode = z.looseObject({
  id: z.string(),
  type: z.string(),
  x: z.number(),
  y: z.number(),
  width: z.number(),
  height: z.number(),
  file: z.string().transform(plainPath).optional(),
});
const CanvasEdge = z.looseObject({ id: z.string(), fromNode: z.string(), toNode: z.string() });
/** JSON Canvas 1.0. */
const Canvas = z.looseObject({
  nodes: z.array(CanvasNode).default([]),
  edges: z.array(CanvasEdge).default([]),
});
export type Canvas = z.infer<typeof Canvas>;
export type CanvasNode = z.infer<typeof CanvasNode>;
type CanvasEdge = z.infer<typeof CanvasEdge>;

export const size = { width: 300, height: 140 };
export const gap = { x: 60, y: 80 };

export interface DerivedEdge {
  readonly id: string;
  readonly fromNode: string;
  readonly fromSide: string;
  readonly toNode: string;
  readonly toSide: string;
}

/** Edges that the server derives from notes are told from those that people drew by their ids. */
export const derived = {
  prefix: 'derived:',
  parent: (child: string) => `derived:parent:${child}`,
  dependency: (dependent: string, needed: string) => `derived:depends:${dependent}:${needed}`,
  of: (entity: Entity) => [`derived:parent:${entity.id}`, `derived:depends:${entity.id}:`] as const,
};

export function parseCanvas(path: string, text: string): Canvas {
  try {
    const json = withoutMark(text);
    return Canvas.parse(json.trim() === '' ? {} : JSON.parse(json));
  } catch (error) {
    throw new ToolFailure('validation', `“${path}” is no JSON Canvas.`, {
      field: 'canvas_source',
      hint: whatIsWrong(error),
    });
  }
}

function whatIsWrong(error: unknown): string {
  if (!(error instanceof z.ZodError)) return error instanceof Error ? error.message : String(error);
  const [first] = error.issues;
  return `${first?.path.map(String).join('.') || 'The file'}: ${first?.message ?? 'not valid'}`;
}

/** A canvas file is one that ends in .canvas. */
export function checkCanvasPath(path: string): void {
  if (path.endsWith('.canvas')) return;
  throw new ToolFailure('validation', 'A canvas is a file that ends in .canvas.', { field: 'canvas_source' });
}

/** The entity that a node shows: by its path, else, where nothing is there any more, by the id that it or its file is called by. */
export function entityShown(
  node: Pick<CanvasNode, 'id' | 'type' | 'file'>,
  entities: {
    readonly at: ReadonlyMap<string, Entity>;
    readonly get: (id: string) => Entity | undefined;
    readonly exists: (path: string) => boolean;
  },
): Entity | undefined {
  const { id, type, file } = node;
  if (type !== 'file' || !file) return undefined;
  const entity = entities.at.get(file);
  if (entity || entities.exists(file)) return entity;
  const [idInName] = idsIn(file.slice(file.lastIndexOf('/') + 1));
  return entities.get(idInName ?? id.replace(/-note$/, ''));
}

/** The notes that a canvas shows. */
export function filesOnCanvas(path: string, text: string): ReadonlySet<string> {
  return new Set(
    parseCanvas(path, text).nodes.flatMap((node) => (node.type === 'file' && node.file ? [node.file] : [])),
  );
}

/** Puts an entity on a canvas, beside its parent, with the edges that notes imply; the canvas is made if it isn't there. */
export async function addToCanvas(draft: Draft, path: string, entity: Entity, lookup: Lookup): Promise<void> {
  checkCanvasPath(path);
  let text = (await draft.read(path))?.text ?? '';
  const canvas = parseCanvas(path, text);
  if (!nodeOf(canvas, entity)) {
    const parent = entity.parent === null ? undefined : lookup.get(entity.parent);
    const beside = parent && nodeOf(canvas, parent);
    const node = {
      id: entity.id,
      type: 'file',
      file: entity.path,
      ...freePlace(canvas.nodes, beside),
      ...size,
    };
    text = withAppended(text, 'nodes', [
      canvas.nodes.some(({ id }) => id === node.id) ? { ...node, id: `${node.id}-note` } : node,
    ]);
  }
  await draft.write(path, withDerivedEdges(path, text, entity, lookup));
}

/** After a change of an entity: its node shows the note where it is now, and its edges are those of the note. */
export async function followOnCanvas(
  draft: Draft,
  path: string,
  before: Entity,
  after: Entity,
  lookup: Lookup,
): Promise<void> {
  const text = await readableCanvas(draft, path);
  if (text === null) return;
  const at = parseCanvas(path, text).nodes.findIndex((node) => isNodeOf(node, before));
  if (at === -1) return;
  const moved = before.path === after.path ? text : edited(text, ['nodes', at, 'file'], after.path);
  const now = withDerivedEdges(path, moved, after, lookup);
  if (now !== text) await draft.write(path, now);
}

/** After a file or folder got another path: every node that showed it shows it there, in all of these canvases. */
export async function followMoved(
  draft: Draft,
  canvases: readonly string[],
  from: string,
  to: string,
): Promise<void> {
  for (const path of canvases) {
    const text = await readableCanvas(draft, path);
    if (text === null) continue;
    const { nodes } = parseCanvas(path, text);
    const now = withItems(text, 'nodes', (node, at) => {
      const { type, file } = nodes[at] ?? {};
      if (type !== 'file' || !file || !isUnder(file, from)) return node;
      return edited(node, ['file'], movedPath(file, from, to));
    });
    if (now !== text) await draft.write(path, now);
  }
}

/** The notes are the truth: a canvas that is gone, damaged or misnamed keeps none of them from being changed. */
async function readableCanvas(draft: Draft, path: string): Promise<string | null> {
  try {
    const text = (await draft.read(path))?.text ?? null;
    if (text !== null) parseCanvas(path, text);
    return text;
  } catch (error) {
    if (toFailure(error).code === 'internal') throw error;
    return null;
  }
}

function withDerivedEdges(path: string, start: string, entity: Entity, lookup: Lookup): string {
  const canvas = parseCanvas(path, start);
  const nodes = nodesByFile(canvas.nodes);
  const derivedEdges = new Map<string, DerivedEdge>();
  const want = (id: string, from: Entity, to: Entity, sides: readonly [string, string]): void => {
    const [fromNode, toNode] = [nodes.get(from.path)?.id, nodes.get(to.path)?.id];
    if (fromNode === undefined || toNode === undefined) return;
    derivedEdges.set(id, { id, fromNode, fromSide: sides[0], toNode, toSide: sides[1] });
  };
  for (const child of related(canvas, entity, lookup)) {
    const parent = child.parent === null ? undefined : lookup.get(child.parent);
    if (parent) want(derived.parent(child.id), parent, child, ['bottom', 'top']);
    for (const needed of child.dependsOn) {
      const first = lookup.get(needed);
      if (first) want(derived.dependency(child.id, needed), first, child, ['right', 'left']);
    }
  }
  const [parentEdge, dependencyEdges] = derived.of(entity);
  const stays = canvas.edges.map(
    (edge) =>
      (edge.id !== parentEdge && !edge.id.startsWith(dependencyEdges)) ||
      sameEdge(edge, derivedEdges.get(edge.id)),
  );
  const text = withItems(start, 'edges', (edge, at) => (stays[at] ? edge : null));
  const present = canvas.edges.filter((_, at) => stays[at]);
  return withAppended(text, 'edges', notDrawn([...derivedEdges.values()], present));
}

/** Of these edges those that a canvas with others lacks. */
export function notDrawn(edges: readonly DerivedEdge[], present: readonly CanvasEdge[]): DerivedEdge[] {
  const ways = new Set(present.map(wayOf));
  const ids = new Set(present.map(({ id }) => id));
  return edges.filter((edge) => !ids.has(edge.id) && !ways.has(wayOf(edge)));
}

const wayOf = ({ fromNode, toNode }: Pick<CanvasEdge, 'fromNode' | 'toNode'>) =>
  JSON.stringify([fromNode, toNode]);

/** The entity and those whose edges lead to it, as far as they are on the canvas. */
function related(canvas: Canvas, entity: Entity, lookup: Lookup): Entity[] {
  const files = new Set(canvas.nodes.map((node) => node.file));
  const others = [...lookup.all()].filter(
    (other) => files.has(other.path) && (other.parent === entity.id || other.dependsOn.includes(entity.id)),
  );
  return [entity, ...others];
}

function sameEdge(
  edge: { fromNode: string; toNode: string },
  other: { fromNode: string; toNode: string } | undefined,
): boolean {
  return edge.fromNode === other?.fromNode && edge.toNode === other.toNode;
}

/** Of several nodes of one file the first. */
export function nodesByFile<Node extends Pick<CanvasNode, 'type' | 'file'>>(
  nodes: readonly Node[],
): ReadonlyMap<string, Node> {
  const byFile = new Map<string, Node>();
  for (const node of nodes) {
    if (node.type === 'file' && node.file && !byFile.has(node.file)) byFile.set(node.file, node);
  }
  return byFile;
}

function nodeOf(canvas: Canvas, entity: Entity): CanvasNode | undefined {
  return canvas.nodes.find((node) => isNodeOf(node, entity));
}

function isNodeOf(node: CanvasNode, entity: Entity): boolean {
  return node.type === 'file' && node.file === entity.path;
}

const besideParent = [0, 1, 2, 3, -1, -2, -3];
const belowAll = [0, 1, 2, 3, 4, 5, 6, 7];

/** Below the parent, else below everything; then beside that, row by row, until nothing is in the way. */
function freePlace(nodes: readonly CanvasNode[], parent: CanvasNode | undefined): { x: number; y: number } {
  const solid = nodes.filter((node) => node.type !== 'group');
  const isFree = (x: number, y: number): boolean =>
    solid.every(
      (node) =>
        x + size.width + gap.x / 2 <= node.x ||
        node.x + node.width + gap.x / 2 <= x ||
        y + size.height + gap.y / 2 <= node.y ||
        node.y + node.height + gap.y / 2 <= y,
    );
  const left = parent?.x ?? solid.reduce((least, { x }) => Math.min(least, x), 0);
  const bottom = solid.reduce((most, { y, height }) => Math.max(most, y + height + gap.y), 0);
  const top = parent ? parent.y + parent.height + gap.y : bottom;
  // Further rows may all lie beside one enormous card.
  for (let row = 0; row <= solid.length; row++) {
    for (const column of parent ? besideParent : belowAll) {
      const [x, y] = [left + column * (size.width + gap.x), top + row * (size.height + gap.y)];
      if (isFree(x, y)) return { x, y };
    }
  }
  return { x: left, y: bottom };
}
