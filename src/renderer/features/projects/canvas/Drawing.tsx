import {
  Background,
  BackgroundVariant,
  MiniMap,
  Panel,
  ReactFlow,
  useReactFlow,
  useStore,
} from '@xyflow/react';
import { LayoutDashboard, Map as MapIcon, Maximize, Minus, Plus, Square, Undo2, X } from 'lucide-react';
import {
  type FocusEvent,
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  useEffect,
  useState,
} from 'react';
import type { CanvasPicture, ProjectScope } from '../../../../contract/projects';
import { useLayout } from '../../../app/layout';
import { t } from '../../../app/text';
import { useShownTheme } from '../../../app/theme';
import { Button, Callout, IconButton } from '../../../ui';
import { statusTone } from '../words';
import { AddMissing } from './AddMissing';
import { EdgeLayer } from './EdgeLayer';
import { type FlowNode, isFar } from './flow';
import { GroupNode, NoteNode } from './nodes';
import { useCanvas, type WayBack } from './use-canvas';

const nodeTypes = { note: NoteNode, frame: GroupNode };
/** Nothing under the buttons at the bottom. */
const fit = { padding: { x: '28px', top: '28px', bottom: '72px' }, maxZoom: 1 } as const;
/** With fewer, all are readable at once, and a map would only hide some. */
const mapFrom = 30;

/** By path: the view may be left for another and come back. */
const waysBack = new Map<string, WayBack>();

export interface DrawingProps {
  picture: CanvasPicture;
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
  const [said, setSaid] = useState('');
  const [arranging, setArranging] = useState<AbortController | null>(null);
  const [back, setBack] = useState<WayBack | null>(() => {
    const known = waysBack.get(picture.path);
    return known?.version === picture.version ? known : null;
  });
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => () => arranging?.abort(), [arranging]);

  const showAll = () => void flow.fitView({ ...fit, duration: 200 });
  // Nodes that come anew are measured first.
  const showAllSoon = () => requestAnimationFrame(() => requestAnimationFrame(showAll));

  async function arrangeAll(): Promise<void> {
    const stopping = new AbortController();
    setArranging(stopping);
    setProblem(null);
    try {
      const { arrange } = await import('./arrange');
      const places = await arrange(canvas.present(), stopping.signal);
      const old = await canvas.moveAll(places);
      if (old) {
        keepBack(old);
        setSaid(t('canvas.arranged'));
        showAllSoon();
      }
    } catch (error) {
      if (!stopping.signal.aborted) {
        setProblem(`${t('canvas.arrangeFailed')}: ${error instanceof Error ? error.message : String(error)}`);
      }
    } finally {
      setArranging(null);
    }
  }

  function keepBack(way: WayBack | null): void {
    setBack(way);
    if (way) waysBack.set(picture.path, way);
    else waysBack.delete(picture.path);
  }

  async function putBack(way: WayBack): Promise<void> {
    keepBack(null);
    if (!canvas.isAsLeft(way)) {
      setSaid('');
      setProblem(t('canvas.movedSince'));
    } else if (await canvas.moveAll(way.places, true)) {
      setSaid(t('canvas.putBack'));
      showAllSoon();
    }
  }

  const open = (id: string | undefined) => {
    const node = canvas.nodes.find((each) => each.id === id)?.data.shown;
    if (node?.kind === 'link') askToOpen(node.text);
    else if (node?.file && node.found) openNote(node.file);
  };

  const pressed = (event: KeyboardEvent) => {
    if (back && isUndo(event)) {
      event.preventDefault();
      return void putBack(back);
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

  const failure = problem ?? (canvas.saving.kind === 'failed' ? canvas.saving.why : null);
  const state =
    canvas.saving.kind === 'saving'
      ? t('canvas.saving')
      : canvas.saving.kind === 'saved'
        ? t('canvas.saved')
        : '';
  return (
    <div
      className="canvas-frame"
      onKeyDownCapture={pressed}
      onFocusCapture={focused}
      onClickCapture={clicked}
    >
      <div className="canvas-tools">
        {choose}
        <Legend edges={picture.edges} />
        <span className="canvas-said" role="status">
          {said || state}
        </span>
        {back && (
          <Button size="s" onClick={() => void putBack(back)}>
            <Undo2 size={13} strokeWidth={1.75} aria-hidden />
            {t('canvas.undo')}
          </Button>
        )}
        <AddMissing
          path={picture.path}
          scope={scope}
          onAdded={(words, failed) => {
            if (failed) setProblem(words);
            else setSaid(words);
          }}
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
      {failure !== null && (
        <Callout
          tone="bad"
          title={problem === null ? t('canvas.notSaved') : undefined}
          actions={
            <IconButton
              icon={X}
              size="s"
              label={t('ui.dismiss')}
              onClick={() => {
                setProblem(null);
                canvas.forgetFailure();
              }}
            />
          }
        >
          {failure}
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

const isUndo = ({ target, key, ctrlKey, metaKey, shiftKey, altKey }: KeyboardEvent) =>
  key.toLowerCase() === 'z' &&
  (ctrlKey || metaKey) &&
  !(shiftKey || altKey) &&
  !(target instanceof Element && target.closest('input, textarea'));

/** Which line means what; kinds that are not there are not explained. */
function Legend({ edges }: Pick<CanvasPicture, 'edges'>) {
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
