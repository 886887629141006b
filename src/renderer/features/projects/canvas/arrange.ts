import type { ElkNode } from 'elkjs/lib/elk-api';
import ELK from 'elkjs/lib/elk-api';
import ElkWorker from 'elkjs/lib/elk-worker.min.js?worker';
import type { CanvasContent } from '../../../../contract/projects';
import { groupsOf, type Place } from './flow';

const layered = {
  'elk.algorithm': 'layered',
  'elk.direction': 'RIGHT',
  'elk.hierarchyHandling': 'INCLUDE_CHILDREN',
  'elk.aspectRatio': '1.6',
  'elk.spacing.nodeNode': '36',
  'elk.spacing.componentComponent': '72',
  'elk.layered.spacing.nodeNodeBetweenLayers': '96',
  'elk.layered.considerModelOrder.strategy': 'NODES_AND_EDGES',
};
const ofGroup = { 'elk.padding': '[top=48,left=28,bottom=28,right=28]' };

/** Beyond this many, one drawing of layers is taller than anybody can overlook. */
const oneDrawing = 120;
const packed = {
  'elk.algorithm': 'rectpacking',
  'elk.aspectRatio': '1.6',
  'elk.spacing.nodeNode': '96',
  'elk.padding': '[top=0,left=0,bottom=0,right=0]',
};

/**
 * New places for all nodes, in layers from what is needed to what needs it; of many, each milestone with what is
 * part of it by itself. Computed in a worker, which `signal` ends. Groups keep what they hold and take the size that
 * it needs.
 */
export async function arrange(content: CanvasContent, signal: AbortSignal): Promise<Place[]> {
  const elk = new ELK({ workerFactory: () => new ElkWorker() });
  const stopped = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  try {
    const graph = graphOf(content);
    const whole = content.nodes.length > oneDrawing ? inBlocks(graph, content) : graph;
    const ids = new Set(content.nodes.map(({ id }) => id));
    return placesIn(await Promise.race([elk.layout(whole), stopped])).filter(({ id }) => ids.has(id));
  } finally {
    elk.terminateWorker();
  }
}

function graphOf({ nodes, edges }: CanvasContent): ElkNode {
  const groups = groupsOf(nodes);
  const elkNodes = new Map<string, ElkNode>(
    nodes.map(({ id, width, height, kind }) => [
      id,
      { id, width, height, ...(kind === 'group' && { layoutOptions: ofGroup }) },
    ]),
  );
  const top: ElkNode[] = [];
  for (const { id } of nodes) {
    const node = elkNodes.get(id);
    if (!node) continue;
    const group = elkNodes.get(groups.get(id) ?? '');
    if (group) group.children = [...(group.children ?? []), node];
    else top.push(node);
  }
  return {
    id: 'canvas',
    layoutOptions: layered,
    children: top,
    edges: edges
      .filter(({ from, to }) => from !== to)
      .map(({ id, from, to }) => ({ id, sources: [from], targets: [to] })),
  };
}

/** What belongs to one thing at the top, and the edges inside, as a drawing of its own; the drawings side by side. */
function inBlocks(graph: ElkNode, { edges }: CanvasContent): ElkNode {
  const above = new Map(edges.filter(({ kind }) => kind === 'parent').map(({ from, to }) => [to, from]));
  const hasParts = new Set(above.values());
  const blockOf = (id: string): string => {
    const visited = new Set([id]);
    let at = id;
    for (let next = above.get(at); next !== undefined && !visited.has(next); next = above.get(at)) {
      visited.add(next);
      at = next;
    }
    return hasParts.has(at) ? at : 'single';
  };
  const inside = new Map<string, string>();
  const note = (node: ElkNode, block: string): void => {
    inside.set(node.id, block);
    for (const child of node.children ?? []) note(child, block);
  };
  const blocks = Map.groupBy(graph.children ?? [], ({ id }) => blockOf(id));
  for (const [block, nodes] of blocks) for (const node of nodes) note(node, block);
  return {
    id: graph.id,
    layoutOptions: packed,
    children: [...blocks].map(([block, children]) => ({
      id: `block ${block}`,
      layoutOptions: block === 'single' ? { ...packed, 'elk.spacing.nodeNode': '36' } : layered,
      children,
      edges:
        block === 'single'
          ? []
          : (graph.edges ?? []).filter(
              ({ sources: [from = ''], targets: [to = ''] }) =>
                inside.get(from) === block && inside.get(to) === block,
            ),
    })),
  };
}

function placesIn(node: ElkNode, left = 0, top = 0): Place[] {
  return (node.children ?? []).flatMap((child) => {
    const [x, y] = [Math.round(left + (child.x ?? 0)), Math.round(top + (child.y ?? 0))];
    const size =
      child.children && child.children.length > 0
        ? { width: Math.round(child.width ?? 0), height: Math.round(child.height ?? 0) }
        : {};
    return [{ id: child.id, x, y, ...size }, ...placesIn(child, x, y)];
  });
}
