import { useNodesState } from '@xyflow/react';
import { useRef } from 'react';
import type { CanvasContent, CanvasNode } from '../../../../contract/projects';
import { statusWord, typeWord } from '../words';
import { type FlowNode, flowNodes, movedSince, placesOf } from './flow';

/** Nodes as they are drawn and moved, over the content as it was saved last. */
export function useDrawnNodes(content: CanvasContent) {
  const [nodes, setNodes, onNodesChange] = useNodesState<FlowNode>(flowNodes(content, labelOf));
  // The next one from the core may be older than that.
  const base = useRef(content);
  const latest = useRef(nodes);
  latest.current = nodes;

  const draw = (next: CanvasContent) =>
    setNodes((before) => {
      const selected = new Set(before.filter((node) => node.selected).map((node) => node.id));
      return flowNodes(next, labelOf).map((node) => ({ ...node, selected: selected.has(node.id) }));
    });

  return {
    nodes,
    onNodesChange,
    /** The content as it was saved last. */
    base,
    places: () => placesOf(latest.current),
    show: (next: CanvasContent) => {
      base.current = next;
      draw(next);
    },
    /** What is saved now, and what a person has moved meanwhile; that is saved next. */
    drawOver: (before: CanvasContent) => {
      const unsaved = new Map(movedSince(before, placesOf(latest.current)).map((place) => [place.id, place]));
      const { nodes: saved } = base.current;
      draw({ ...base.current, nodes: saved.map((node) => ({ ...node, ...unsaved.get(node.id) })) });
    },
    select: (id: string) =>
      setNodes((before) =>
        before.map((node) =>
          (node.selected ?? false) === (node.id === id) ? node : { ...node, selected: node.id === id },
        ),
      ),
  };
}

function labelOf({ entity, text, file }: CanvasNode): string {
  if (!entity) return text || (file ?? '');
  return `${typeWord(entity.type)} ${entity.id} ${entity.title}, ${statusWord(entity.status)}`;
}
