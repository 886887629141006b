import { ViewportPortal } from '@xyflow/react';
import { memo, useMemo } from 'react';
import type { CanvasContent } from '../../../../contract/projects';
import { colorOf } from './colors';
import { type FlowNode, placesOf } from './flow';
import { linesOf } from './lines';

/** The edges below the notes. Nobody takes hold of them here, so they are drawn and no more. */
export const EdgeLayer = memo(
  ({ content, nodes }: { content: CanvasContent; nodes: readonly FlowNode[] }) => {
    const { lines, labels } = useMemo(() => linesOf(content, placesOf(nodes)), [content, nodes]);
    return (
      <ViewportPortal>
        <svg className="canvas-edges" aria-hidden>
          {lines.map(({ kind, color, path }) => (
            <path
              key={`${kind} ${color}`}
              className={`canvas-edge-${kind}`}
              d={path}
              style={{ stroke: colorOf(color) }}
            />
          ))}
          {labels.map(({ id, text, x, y }) => (
            <text key={id} className="canvas-edge-label" x={x} y={y}>
              {text}
            </text>
          ))}
        </svg>
      </ViewportPortal>
    );
  },
);
