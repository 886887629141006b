import { type NodeProps, useStore } from '@xyflow/react';
import { ExternalLink, File, FileText, FileX2 } from 'lucide-react';
import { type CSSProperties, memo } from 'react';
import type { CanvasNode } from '../../../../contract/projects';
import { useLayout } from '../../../base/layout/layout';
import { t, useLanguage } from '../../../base/text/text';
import { classes } from '../../../ui';
import { Markdown } from '../../../ui/Markdown';
import { Priority, Status, TypeIcon } from '../Marks';
import { statusTone } from '../words';
import { colorOf } from './colors';
import { type FlowNode, isFar } from './flow';

const tinted = (color: string | null) => ({ '--node-color': colorOf(color) }) as CSSProperties;

export const NoteNode = memo(({ data, selected }: NodeProps<FlowNode>) => {
  useLanguage();
  const { node } = data;
  const far = useStore(isFar);
  const tone = node.entity ? statusTone(node.entity.status) : null;
  return (
    <div
      className={classes(
        'canvas-node',
        `canvas-node-${node.kind}`,
        colorOf(node.color) !== undefined && 'canvas-node-colored',
        tone !== null && `canvas-tone-${tone}`,
        node.kind === 'file' && !node.exists && 'canvas-node-gone',
        selected && 'canvas-node-selected',
      )}
      style={tinted(node.color)}
    >
      {far ? <FromAfar node={node} /> : <Inside node={node} />}
    </div>
  );
});

/** Few words, large enough to be read from there. */
const FromAfar = ({ node }: { node: CanvasNode }) => (
  <span className="canvas-far">
    {node.entity && <b>{node.entity.id}</b>}
    {node.text.slice(0, 80)}
  </span>
);

function Inside({ node }: { node: CanvasNode }) {
  const askToOpen = useLayout((layout) => layout.askToOpen);
  const { entity, kind, text, file, exists } = node;
  if (entity) {
    return (
      <>
        <span className="canvas-node-head">
          <TypeIcon type={entity.type} size={14} />
          <span className="entity-id">{entity.id}</span>
          <span className="card-space" />
          <Priority priority={entity.priority} />
        </span>
        <strong>{text}</strong>
        <span className="canvas-node-foot">
          <Status status={entity.status} />
        </span>
      </>
    );
  }
  if (kind === 'file') {
    const Icon = exists ? (/\.md$/i.test(file ?? '') ? FileText : File) : FileX2;
    return (
      <>
        <span className="canvas-node-head">
          <Icon size={14} strokeWidth={1.75} aria-hidden />
          <span className="canvas-path">
            {exists ? file?.slice(0, Math.max(0, file.lastIndexOf('/'))) : t('canvas.gone')}
          </span>
        </span>
        <strong>{text}</strong>
      </>
    );
  }
  if (kind === 'link') {
    return (
      <button type="button" className="canvas-url nodrag" onClick={() => askToOpen(text)}>
        <ExternalLink size={14} strokeWidth={1.75} aria-hidden />
        <span>{text}</span>
      </button>
    );
  }
  return (
    <div className="canvas-text">
      <Markdown text={text} onLink={askToOpen} />
    </div>
  );
}

export const GroupNode = memo(({ data, selected }: NodeProps<FlowNode>) => (
  <div
    className={classes('canvas-group', selected && 'canvas-node-selected')}
    style={tinted(data.node.color)}
  >
    {data.node.text && <span className="canvas-group-label">{data.node.text}</span>}
  </div>
));
