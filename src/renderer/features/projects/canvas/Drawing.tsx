import {
  Background,
  BackgroundVariant,
  MiniMap,
  Panel,
  ReactFlow,
  useReactFlow,
  useStore,
} from '@xyflow/react';
import {
  LayoutDashboard,
  Map as MapIcon,
  Maximize,
  Minus,
  Plus,
  Redo2,
  Square,
  Undo2,
  X,
} from 'lucide-react';
import {
  type FocusEvent,
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  useEffect,
  useState,
} from 'react';
import type { CanvasContent, ProjectScope } from '../../../../contract/projects';
import { keyLabels, matchesKeys } from '../../../base/keyboard/keys';
import { useLayout } from '../../../base/layout/layout';
import { useShownTheme } from '../../../base/layout/theme';
import { t } from '../../../base/text/text';
import { Button, Callout, IconButton } from '../../../ui';
import { statusTone } from '../words';
import { AddMissing } from './AddMissing';
import { EdgeLayer } from './EdgeLayer';
import { type FlowNode, isFar } from './flow';
import { GroupNode, NoteNode } from './nodes';
import type { Way } from './steps';
import { useCanvas } from './use-canvas';

const nodeTypes = { note: NoteNode, frame: GroupNode };
/** Nothing under the buttons at the bottom. */
const fit = { padding: { x: '28px', top: '28px', bottom: '72px' }, maxZoom: 1 } as const;
/** With fewer, all are readable at once, and a map would only hide some. */
const mapFrom = 30;

export interface DrawingProps {
  picture: CanvasContent;
  scope: ProjectScope;
  choose?: ReactNode;
  again(): unknown;
}

export function Drawing({ picture, scope, choose, again }: DrawingProps) {
  const canvas = useCanvas(picture, again);
  const { openNote, askToOpen } = useLayout();
  const flow = useReactFlow<FlowNode>();
  const theme = useShownTheme();
  // From afar nearly all is in sight; coming and going would cost more than being there.
  const far = useStore(isFar);
  const [map, setMap] = useState(picture.nodes.length >= mapFrom);
  const [arranging, setArranging] = useState<AbortController | null>(null);
  useEffect(() => () => arranging?.abort(), [arranging]);

  const showAll = () => void flow.fitView({ ...fit, duration: 200 });
  // Nodes that come anew are measured first.
  const showAllSoon = () => requestAnimationFrame(() => requestAnimationFrame(showAll));

  async function arrangeAll(): Promise<void> {
    const stopping = new AbortController();
    setArranging(stopping);
    try {
      const { arrange } = await import('./arrange');
      const places = await arrange(canvas.present(), stopping.signal);
      if (await canvas.arrangeAs(places)) showAllSoon();
    } catch (error) {
      if (!stopping.signal.aborted) {
        const why = error instanceof Error ? error.message : String(error);
        canvas.tell({ kind: 'failed', title: t('canvas.arrangeFailed'), why });
      }
    } finally {
      setArranging(null);
    }
  }

  async function go(way: Way): Promise<void> {
    if ((await canvas.go(way))?.arranged) showAllSoon();
  }

  const open = (id: string | undefined) => {
    const node = canvas.nodes.find((each) => each.id === id)?.data.shown;
    if (node?.kind === 'link') askToOpen(node.text);
    else if (node?.file && node.found) openNote(node.file);
  };

  const pressed = (event: KeyboardEvent) => {
    const way = wayOf(event);
    if (way) {
      event.preventDefault();
      return void go(way);
    }
    if (event.key !== 'Enter') return;
    const { target } = event;
    if (!(target instanceof HTMLElement) || !target.classList.contains('react-flow__node')) return;
    event.preventDefault();
    event.stopPropagation();
    open(target.dataset.id);
  };

  // Arrow keys move what is selected; whoever comes by Tab has it in hand at once.
  const focused = ({ target }: FocusEvent) => {
    if (!target.classList.contains('react-flow__node') || !target.matches(':focus-visible')) return;
    if (target instanceof HTMLElement && target.dataset.id) canvas.select(target.dataset.id);
  };

  const clicked = (event: MouseEvent) => {
    const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a[href]') : null;
    if (!link || link.closest('.ui-markdown')) return;
    event.preventDefault();
    askToOpen(link.href);
  };

  const { outcome } = canvas;
  const failure = outcome.kind === 'failed' ? outcome : null;
  const state = outcome.kind === 'saving' ? t('canvas.saving') : outcome.kind === 'done' ? outcome.words : '';
  return (
    <div
      className="canvas-frame"
      tabIndex={-1}
      onKeyDownCapture={pressed}
      onFocusCapture={focused}
      onClickCapture={clicked}
    >
      <div className="canvas-tools">
        {choose}
        <Legend edges={picture.edges} />
        <span className="canvas-said" role="status">
          {state}
        </span>
        <IconButton
          {...{ icon: Undo2, label: t('canvas.undo'), keys: keyLabels('Mod-z') }}
          aria-disabled={!canvas.canUndo || undefined}
          onClick={() => void go('undo')}
        />
        <IconButton
          {...{ icon: Redo2, label: t('canvas.redo'), keys: keyLabels('Mod-Shift-z') }}
          aria-disabled={!canvas.canRedo || undefined}
          onClick={() => void go('redo')}
        />
        <AddMissing
          path={picture.path}
          scope={scope}
          onAdded={(words, failed) =>
            canvas.tell(failed ? { kind: 'failed', why: words } : { kind: 'done', words })
          }
        />
        {arranging ? (
          <Button size="s" onClick={() => arranging.abort(new Error())}>
            <Square size={12} strokeWidth={2} aria-hidden />
            {t('canvas.arranging')}
          </Button>
        ) : (
          <Button size="s" onClick={() => void arrangeAll()}>
            <LayoutDashboard size={13} strokeWidth={1.75} aria-hidden />
            {t('canvas.arrange')}
          </Button>
        )}
      </div>
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
          aria-label={t('canvas.label', { name: picture.path })}
          colorMode={theme === 'dark' ? 'dark' : 'light'}
          nodes={canvas.nodes}
          nodeTypes={nodeTypes}
          onNodesChange={canvas.onNodesChange}
          onNodeDoubleClick={(_, node) => open(node.id)}
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
          <EdgeLayer picture={picture} nodes={canvas.nodes} />
          <Background variant={BackgroundVariant.Dots} gap={24} size={1.5} />
          <Panel position="bottom-left" className="canvas-zoom">
            <IconButton
              icon={Plus}
              label={t('canvas.zoomIn')}
              side="top"
              onClick={() => void flow.zoomIn()}
            />
            <IconButton
              icon={Minus}
              label={t('canvas.zoomOut')}
              side="top"
              onClick={() => void flow.zoomOut()}
            />
            <IconButton icon={Maximize} label={t('canvas.fit')} side="top" onClick={showAll} />
            <IconButton
              icon={MapIcon}
              label={t('canvas.map')}
              side="top"
              pressed={map}
              onClick={() => setMap(!map)}
            />
          </Panel>
          {map && <MiniMap pannable zoomable position="bottom-right" nodeClassName={mapClass} />}
        </ReactFlow>
      </div>
    </div>
  );
}

const keysOf = { undo: ['Mod-z'], redo: ['Mod-Shift-z', 'Ctrl-y'] } as const;

function wayOf(event: KeyboardEvent): Way | undefined {
  if (event.target instanceof Element && event.target.closest('input, textarea')) return undefined;
  return (['undo', 'redo'] as const).find((way) => keysOf[way].some((keys) => matchesKeys(keys, event)));
}

/** Which line means what; kinds that are not there are not explained. */
function Legend({ edges }: Pick<CanvasContent, 'edges'>) {
  const kinds = (['depends', 'parent', 'drawn'] as const).filter((kind) =>
    edges.some((edge) => edge.kind === kind),
  );
  return (
    <span className="canvas-legend">
      {kinds.map((kind) => (
        <span key={kind}>
          <svg width="26" height="8" aria-hidden className={`canvas-edge-${kind}`}>
            <path d="M0 4 H26" />
          </svg>
          {t(legend[kind])}
        </span>
      ))}
    </span>
  );
}

const legend = {
  depends: 'canvas.legendDepends',
  parent: 'canvas.legendParent',
  drawn: 'canvas.legendDrawn',
} as const;

function mapClass({ type, data }: FlowNode): string {
  const { entity } = data.shown;
  return type === 'frame' ? 'canvas-map-group' : `canvas-map-${entity ? statusTone(entity.status) : 'plain'}`;
}
