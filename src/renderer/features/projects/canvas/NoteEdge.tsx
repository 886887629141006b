import {
  BaseEdge,
  EdgeLabelRenderer,
  type EdgeProps,
  getBezierPath,
  Position,
  useInternalNode,
} from '@xyflow/react';
import type { CanvasEdge } from '../../../../contract/projects';
import { colorOf } from './colors';
import type { Box, FlowEdge } from './flow';

type Side = NonNullable<CanvasEdge['fromSide']>;

const positions: Readonly<Record<Side, Position>> = {
  top: Position.Top,
  right: Position.Right,
  bottom: Position.Bottom,
  left: Position.Left,
};

/** The sides that face each other. */
function facing(from: Box, to: Box): [Side, Side] {
  const dx = to.x + to.width / 2 - (from.x + from.width / 2);
  const dy = to.y + to.height / 2 - (from.y + from.height / 2);
  // Layers go from left to right, so a gap between columns is where edges run.
  if (Math.abs(dx) >= (from.width + to.width) / 2) return dx >= 0 ? ['right', 'left'] : ['left', 'right'];
  return dy >= 0 ? ['bottom', 'top'] : ['top', 'bottom'];
}

function middleOf(box: Box, side: Side): { x: number; y: number } {
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  switch (side) {
    case 'top':
      return { x, y: box.y };
    case 'bottom':
      return { x, y: box.y + box.height };
    case 'left':
      return { x: box.x, y };
    case 'right':
      return { x: box.x + box.width, y };
  }
}

function useBox(id: string): Box | null {
  const node = useInternalNode(id);
  if (!node) return null;
  const { x, y } = node.internals.positionAbsolute;
  return {
    x,
    y,
    width: node.measured.width ?? node.width ?? 0,
    height: node.measured.height ?? node.height ?? 0,
  };
}

/** From the middle of a side to the middle of a side: as the file says, else where the two face each other. */
export function NoteEdge({ id, source, target, data }: EdgeProps<FlowEdge>) {
  const [from, to] = [useBox(source), useBox(target)];
  if (!from || !to || !data) return null;
  const { shown } = data;
  const [near, far] = facing(from, to);
  const drawn = shown.kind === 'drawn';
  const fromSide = (drawn && shown.fromSide) || near;
  const toSide = (drawn && shown.toSide) || far;
  const [start, end] = [middleOf(from, fromSide), middleOf(to, toSide)];
  const [path, labelX, labelY] = getBezierPath({
    sourceX: start.x,
    sourceY: start.y,
    sourcePosition: positions[fromSide],
    targetX: end.x,
    targetY: end.y,
    targetPosition: positions[toSide],
  });
  return (
    <g className={`canvas-edge canvas-edge-${shown.kind}`} style={{ color: colorOf(shown.color) }}>
      <BaseEdge
        id={id}
        path={path}
        interactionWidth={0}
        {...(shown.toArrow && { markerEnd: `url(#canvas-arrow-${shown.kind})` })}
        {...(shown.fromArrow && { markerStart: `url(#canvas-arrow-${shown.kind})` })}
      />
      {shown.label && (
        <EdgeLabelRenderer>
          <span
            className="canvas-edge-label"
            style={{ transform: `translate(-50%, -50%) translate(${labelX}px, ${labelY}px)` }}
          >
            {shown.label}
          </span>
        </EdgeLabelRenderer>
      )}
    </g>
  );
}

/** The heads of all arrows; each kind of edge has its own colour. */
export function Arrows() {
  return (
    <svg className="canvas-arrows" aria-hidden>
      <defs>
        {(['drawn', 'depends', 'parent'] as const).map((kind) => (
          <marker
            key={kind}
            id={`canvas-arrow-${kind}`}
            className={`canvas-edge-${kind}`}
            viewBox="0 0 10 10"
            refX="9"
            refY="5"
            markerWidth="9"
            markerHeight="9"
            markerUnits="userSpaceOnUse"
            orient="auto-start-reverse"
          >
            <path d="M1 1 L9 5 L1 9" />
          </marker>
        ))}
      </defs>
    </svg>
  );
}
