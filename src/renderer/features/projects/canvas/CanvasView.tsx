import '@xyflow/react/dist/base.css';
import './canvas.css';
import { ReactFlowProvider } from '@xyflow/react';
import { Workflow } from 'lucide-react';
import { type ReactNode, useRef } from 'react';
import type { ProjectScope } from '../../../../contract/projects';
import { failureText } from '../../../base/text/error-words';
import { t } from '../../../base/text/text';
import { Button, Callout, EmptyState, Spinner } from '../../../ui';
import { useProject } from '../use-project';
import { AddMissing } from './AddMissing';
import { Drawing } from './Drawing';

export interface CanvasViewProps {
  path: string;
  scope: ProjectScope;
  /** Stands at the left of the tools. */
  choose?: ReactNode;
}

/** A canvas file, drawn; places may be changed here, dependencies only in the notes. */
export function CanvasView({ path, scope, choose }: CanvasViewProps) {
  const { data: latest, error, refetch } = useProject('projects.canvas', { path });
  // Where its file is moved it stays as it is drawn, until it is read there.
  const last = useRef(latest);
  if (latest) last.current = latest;
  const data = latest ?? (last.current && { ...last.current, path });
  if (error) {
    return (
      <div className="canvas-frame">
        {choose && <div className="canvas-tools">{choose}</div>}
        <Callout
          tone="bad"
          title={t('canvas.notShown')}
          actions={
            <Button size="s" onClick={() => void refetch()}>
              {t('ui.retry')}
            </Button>
          }
        >
          <span className="canvas-reason">{`${failureText(error)}\n${t('canvas.untouched')}`}</span>
        </Callout>
      </div>
    );
  }
  if (!data) return <Spinner size={20} />;
  if (data.nodes.length === 0) {
    return (
      <div className="canvas-frame">
        {choose && <div className="canvas-tools">{choose}</div>}
        <EmptyState icon={Workflow} title={t('canvas.empty')} text={t('canvas.emptyText')}>
          <AddMissing path={path} scope={scope} onAdded={() => undefined} />
        </EmptyState>
      </div>
    );
  }
  return (
    <ReactFlowProvider>
      <Drawing content={data} scope={scope} choose={choose} again={refetch} />
    </ReactFlowProvider>
  );
}
