import { Background, BackgroundVariant, MiniMap, ReactFlow, useReactFlow, useStore } from '@xyflow/react';
import { X } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { CanvasContent, ProjectScope } from '../../../../contract/projects';
import { useShownTheme } from '../../../base/layout/theme';
import { t } from '../../../base/text/text';
import { Callout, IconButton } from '../../../ui';
import { statusTone } from '../words';
import { CanvasTools } from './CanvasTools';
import { EdgeLayer } from './EdgeLayer';
import { type FlowNode, isFar } from './flow';
import { GroupNode, NoteNode } from './nodes';
import type { Way } from './steps';
import { useArranging } from './use-arranging';
import { useCanvas } from './use-canvas';
import { useCanvasInput } from './use-canvas-input';
import { ZoomPanel } from './ZoomPanel';

const nodeTypes = { note: NoteNode, frame: GroupNode };
/** Nothing under the buttons at the bottom. */
const fit = { padding: { x: '28px', top: '28px', bottom: '72px' }, maxZoom: 1 } as const;
/** With fewer, all are readable at once, and a map would only hide some. */
const mapFrom = 30;

export interface DrawingProps {
  content: CanvasContent;
  scope: ProjectScope;
  choose?: ReactNode;
  again(): unknown;
}

export function Drawing({ content, scope, choose, again }: DrawingProps) {
  const canvas = useCanvas(content, again);
  const flow = useReactFlow<FlowNode>();
  const theme = useShownTheme();
  // From afar nearly all is in sight; coming and going would cost more than being there.
  const far = useStore(isFar);
  const [map, setMap] = useState(content.nodes.length >= mapFrom);

  const showAll = () => void flow.fitView({ ...fit, duration: 200 });
  // Nodes that come anew are measured first.
  const showAllSoon = () => requestAnimationFrame(() => requestAnimationFrame(showAll));
  const arranging = useArranging(canvas, showAllSoon);

  async function go(way: Way): Promise<void> {
    if ((await canvas.go(way))?.arranged) showAllSoon();
  }

  const input = useCanvasInput(canvas, (way) => void go(way));

  const { outcome } = canvas;
  const failure = outcome.kind === 'failed' ? outcome : null;
  return (
    <div className="canvas-frame" tabIndex={-1} {...input.handlers}>
      <CanvasTools {...{ content, scope, choose, canvas, arranging }} onGo={(way) => void go(way)} />
      {failure && (
        <Callout
          tone="bad"
          title={failure.title}
          actions={
            <IconButton
              icon={X}
              size="s"
              label={t('ui.dismiss')}
              onClick={() => canvas.tell({ kind: 'none' })}
            />
          }
        >
          {failure.why}
        </Callout>
      )}
      <div className="canvas-sheet">
        <ReactFlow<FlowNode>
          aria-label={t('canvas.label', { name: content.path })}
          colorMode={theme === 'dark' ? 'dark' : 'light'}
          nodes={canvas.nodes}
          nodeTypes={nodeTypes}
          onNodesChange={canvas.onNodesChange}
          onNodeDoubleClick={(_, node) => input.open(node.id)}
          nodesConnectable={false}
          deleteKeyCode={null}
          zoomOnDoubleClick={false}
          onlyRenderVisibleElements={!far}
          minZoom={0.01}
          maxZoom={2.5}
          fitView
          fitViewOptions={fit}
          ariaLabelConfig={{
            'node.a11yDescription.default': t('canvas.keys'),
            'node.a11yDescription.keyboardDisabled': t('canvas.keys'),
            'minimap.ariaLabel': t('canvas.map'),
          }}
        >
          <EdgeLayer content={content} nodes={canvas.nodes} />
          <Background variant={BackgroundVariant.Dots} gap={24} size={1.5} />
          <ZoomPanel map={map} onFit={showAll} onMap={() => setMap(!map)} />
          {map && <MiniMap pannable zoomable position="bottom-right" nodeClassName={mapClass} />}
        </ReactFlow>
      </div>
    </div>
  );
}

function mapClass({ type, data }: FlowNode): string {
  const { entity } = data.node;
  return type === 'frame' ? 'canvas-map-group' : `canvas-map-${entity ? statusTone(entity.status) : 'plain'}`;
}
