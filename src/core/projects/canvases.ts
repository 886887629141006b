import type { CanvasContent, CanvasEdge, CanvasNode } from '../../contract/projects';
import {
  type Canvas,
  derived,
  type Entities,
  type Entity,
  entityShown,
  impliedEdges,
  parseCanvas,
} from '../../entities/project';
import { briefOf, textOf } from './brief';

/** A canvas as it is drawn: the file's nodes and edges, and the edges that the notes imply. */
export function canvasContent(
  { path, text, hash }: { readonly path: string; readonly text: string; readonly hash: string },
  entities: Entities,
  exists: (path: string) => boolean,
  now: Date,
): CanvasContent {
  const canvas = parseCanvas(path, text);
  const byPath = new Map(entities.all().map((entity) => [entity.path, entity]));
  const ids = new Set<string>();
  // What has the same id as another can't be told from it by edges, nor be moved alone.
  const nodes = canvas.nodes.filter(({ id }) => !ids.has(id) && ids.add(id));
  const pairs = nodes.map((node) => ({
    node,
    entity: entityShown(node, { at: byPath, get: entities.get, exists }),
  }));
  const implied = impliedEdges(
    pairs.map(({ node, entity }) => ({ ...node, ...(entity && { file: entity.path }) })),
    entities.all(),
  );
  return {
    path,
    version: hash,
    nodes: pairs.map(({ node, entity }) => drawn(node, entity, entities, exists, now)),
    edges: [
      ...implied.map((edge) => ({
        ...plainEdge(edge),
        kind: edge.id.startsWith(derived.parent('')) ? ('parent' as const) : ('depends' as const),
      })),
      ...canvas.edges
        .filter(
          (edge) => !edge.id.startsWith(derived.prefix) && ids.has(edge.fromNode) && ids.has(edge.toNode),
        )
        .map((edge, at) => ({ ...plainEdge(edge), id: `drawn:${at}:${edge.id}`, kind: 'drawn' as const })),
    ],
  };
}

type FileNode = Canvas['nodes'][number];

function drawn(
  node: FileNode,
  entity: Entity | undefined,
  entities: Entities,
  exists: (path: string) => boolean,
  now: Date,
): CanvasNode {
  const { id, x, y, width, height } = node;
  const kind = node.type === 'file' || node.type === 'link' || node.type === 'group' ? node.type : 'text';
  const file = kind === 'file' ? (entity?.path ?? node.file ?? null) : null;
  const texts = {
    file: entity?.title ?? file?.replace(/^.*\//, '').replace(/\.md$/i, '') ?? '',
    link: textOf(node.url) ?? '',
    group: textOf(node.label) ?? '',
    text: textOf(node.text) ?? '',
  };
  return {
    ...{ id, kind, x, y, width, height, file },
    color: textOf(node.color),
    text: texts[kind],
    exists: file !== null && (entity !== undefined || exists(file)),
    entity: entity ? briefOf(entity, entities, now) : null,
  };
}

const sides = new Set(['top', 'right', 'bottom', 'left']);

interface FileEdge {
  readonly id: string;
  readonly fromNode: string;
  readonly toNode: string;
  readonly fromSide?: unknown;
  readonly toSide?: unknown;
  readonly fromEnd?: unknown;
  readonly toEnd?: unknown;
  readonly color?: unknown;
  readonly label?: unknown;
}

function plainEdge(edge: FileEdge): Omit<CanvasEdge, 'kind'> {
  const side = (value: unknown) =>
    typeof value === 'string' && sides.has(value) ? (value as CanvasEdge['fromSide']) : null;
  return {
    id: edge.id,
    from: edge.fromNode,
    to: edge.toNode,
    fromSide: side(edge.fromSide),
    toSide: side(edge.toSide),
    fromArrow: edge.fromEnd === 'arrow',
    toArrow: edge.toEnd !== 'none',
    color: textOf(edge.color),
    label: textOf(edge.label),
  };
}
