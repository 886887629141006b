import { LayoutDashboard, Redo2, Square, Undo2 } from 'lucide-react';
import type { ReactNode } from 'react';
import type { CanvasContent, ProjectScope } from '../../../../contract/projects';
import { keyLabels } from '../../../base/keyboard/keys';
import { t } from '../../../base/text/text';
import { Button, IconButton } from '../../../ui';
import { AddMissing } from './AddMissing';
import { Legend } from './Legend';
import type { Way } from './steps';
import type { useArranging } from './use-arranging';
import type { Canvas } from './use-canvas';

export interface CanvasToolsProps {
  content: CanvasContent;
  scope: ProjectScope;
  choose?: ReactNode;
  canvas: Canvas;
  arranging: ReturnType<typeof useArranging>;
  onGo(way: Way): void;
}

/** What stands above the sheet: which canvas, its lines, what the last action came to, and what can be done. */
export function CanvasTools({ content, scope, choose, canvas, arranging, onGo }: CanvasToolsProps) {
  const { outcome } = canvas;
  const state = outcome.kind === 'saving' ? t('canvas.saving') : outcome.kind === 'done' ? outcome.words : '';
  return (
    <div className="canvas-tools">
      {choose}
      <Legend edges={content.edges} />
      <span className="canvas-said" role="status">
        {state}
      </span>
      <IconButton
        {...{ icon: Undo2, label: t('canvas.undo'), keys: keyLabels('Mod-z') }}
        aria-disabled={!canvas.canUndo || undefined}
        onClick={() => onGo('undo')}
      />
      <IconButton
        {...{ icon: Redo2, label: t('canvas.redo'), keys: keyLabels('Mod-Shift-z') }}
        aria-disabled={!canvas.canRedo || undefined}
        onClick={() => onGo('redo')}
      />
      <AddMissing
        path={content.path}
        scope={scope}
        onAdded={(words, failed) =>
          canvas.tell(failed ? { kind: 'failed', why: words } : { kind: 'done', words })
        }
      />
      {arranging.stop ? (
        <Button size="s" onClick={arranging.stop}>
          <Square size={12} strokeWidth={2} aria-hidden />
          {t('canvas.arranging')}
        </Button>
      ) : (
        <Button size="s" onClick={() => void arranging.arrangeAll()}>
          <LayoutDashboard size={13} strokeWidth={1.75} aria-hidden />
          {t('canvas.arrange')}
        </Button>
      )}
    </div>
  );
}
