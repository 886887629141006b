import type { Node } from '@xyflow/react';
import type { CanvasContent, CanvasNode } from '../../../../contract/projects';

export type FlowNode = Node<{ readonly node: CanvasNode }, 'note' | 'frame'>;

/** From this far away small words can't be read, so only few and large ones are painted. */
const farAway = 0.35;

export const isFar = (state: { readonly transform: readonly [number, number, number] }) =>
  state.transform[2] < farAway;

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

const holds = (outer: Box, inner: Box) =>
  outer.x <= inner.x &&
  outer.y <= inner.y &&
  outer.x + outer.width >= inner.x + inner.width &&
  outer.y + outer.height >= inner.y + inner.height;

const area = ({ width, height }: Box) => width * height;

/** By node, the smallest group that it lies in. The file knows no membership, only places. */
export function groupsOf(nodes: readonly CanvasNode[]): ReadonlyMap<string, string> {
  const groups = nodes.filter(({ kind }) => kind === 'group').sort((a, b) => area(a) - area(b));
  const groupOf = new Map<string, string>();
  if (groups.length === 0) return groupOf;
  for (const node of nodes) {
    const group = groups.find(
      (each) =>
        each.id !== node.id && holds(each, node) && (node.kind !== 'group' || area(each) > area(node)),
    );
    if (group) groupOf.set(node.id, group.id);
  }
  return groupOf;
}

/** For the view: what lies in a group moves with it, so its place is told from there. */
export function flowNodes({ nodes }: CanvasContent, label: (node: CanvasNode) => string): FlowNode[] {
  const groups = groupsOf(nodes);
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const depth = (id: string): number => {
    const group = groups.get(id);
    return group === undefined ? 0 : 1 + depth(group);
  };
  return nodes
    .map((node, at) => ({ node, at, depth: depth(node.id) }))
    .sort(
      (a, b) =>
        Number(b.node.kind === 'group') - Number(a.node.kind === 'group') || a.depth - b.depth || a.at - b.at,
    )
    .map(({ node }) => {
      const group = byId.get(groups.get(node.id) ?? '');
      const { id, x, y, width, height } = node;
      return {
        id,
        type: node.kind === 'group' ? ('frame' as const) : ('note' as const),
        position: { x: x - (group?.x ?? 0), y: y - (group?.y ?? 0) },
        ...(group && { parentId: group.id }),
        ...{ width, height, measured: { width, height }, data: { node } },
        ariaLabel: label(node),
        deletable: false,
        connectable: false,
        zIndex: node.kind === 'group' ? 0 : 1,
      };
    });
}

export interface Place {
  readonly id: string;
  readonly x: number;
  readonly y: number;
  readonly width?: number;
  readonly height?: number;
}

/** Where every node is on the canvas as a whole, in whole pixels as the file has them. */
export function placesOf(nodes: readonly FlowNode[]): Place[] {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const at = (node: FlowNode): { x: number; y: number } => {
    const parent = node.parentId === undefined ? undefined : byId.get(node.parentId);
    const from = parent ? at(parent) : { x: 0, y: 0 };
    return { x: from.x + node.position.x, y: from.y + node.position.y };
  };
  return nodes.map((node) => {
    const { x, y } = at(node);
    return { id: node.id, x: Math.round(x), y: Math.round(y) };
  });
}

/** Those that are elsewhere than the content says. */
export function movedSince(content: CanvasContent, places: readonly Place[]): Place[] {
  const before = new Map(content.nodes.map((node) => [node.id, node]));
  return places.filter(({ id, x, y, width, height }) => {
    const node = before.get(id);
    if (!node) return false;
    const moved = Math.round(node.x) !== x || Math.round(node.y) !== y;
    const resized =
      (width !== undefined && width !== node.width) || (height !== undefined && height !== node.height);
    return moved || resized;
  });
}

/** Where these were; sizes only where those were changed. */
export function placesBefore({ nodes }: CanvasContent, moved: readonly Place[]): Place[] {
  const before = new Map(nodes.map((node) => [node.id, node]));
  return moved.flatMap(({ id, width, height }) => {
    const node = before.get(id);
    if (!node) return [];
    return [
      {
        ...{ id, x: node.x, y: node.y },
        ...(width !== undefined && { width: node.width }),
        ...(height !== undefined && { height: node.height }),
      },
    ];
  });
}
