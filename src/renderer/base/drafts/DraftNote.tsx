import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { Button, goOnIn } from '../../ui';
import { t } from '../text/text';
import type { KeptDraft } from './form-draft';

export interface DraftNoteProps {
  draft: KeptDraft;
  /** In the place of what is saved now. Left out where it cannot be saved, or only by the form's own button. */
  onSave?: (() => void) | undefined;
  /** Where there is a button of its own, to be shown only over what others have changed. */
  savesBelow?: boolean;
  labels?: Readonly<Record<string, string>>;
  /** What the form around it was open for is there no more: what is saved is a new one. */
  removed?: boolean;
}

/** Says that a form holds what was typed into it before it was opened, and what others have changed meanwhile. */
export function DraftNote({ draft, onSave, savesBelow = false, labels = {}, removed }: DraftNoteProps) {
  if (removed) {
    return (
      <Note key="removed" isAlert>
        <span>{t('draft.removedMeanwhile')}</span>
        <Button size="s" type="submit">
          {t('draft.saveAsNew')}
        </Button>
        <Button size="s" look="quiet" onClick={draft.discard}>
          {t('draft.discard')}
        </Button>
      </Note>
    );
  }
  if (draft.overtaken.length > 0) {
    return (
      <Note key="overtaken" isAlert>
        <ul>
          {draft.overtaken.map(({ field, saved }) => (
            <li key={field}>
              {labels[field] !== undefined && <strong>{labels[field]}: </strong>}
              {isNothing(saved)
                ? t('draft.emptiedMeanwhile')
                : t('draft.changedMeanwhile', { value: printed(saved) })}
            </li>
          ))}
        </ul>
        <Button size="s" disabled={onSave === undefined} onClick={onSave}>
          {t('draft.saveMine')}
        </Button>
        <Button size="s" look="quiet" onClick={draft.takeTheirs}>
          {t('draft.takeTheirs')}
        </Button>
      </Note>
    );
  }
  if (!draft.restored) return null;
  return (
    <Note key="restored">
      <span>{t('draft.unsaved')}</span>
      {onSave && !savesBelow && (
        <Button size="s" onClick={onSave}>
          {t('ui.save')}
        </Button>
      )}
      <Button size="s" look="quiet" onClick={draft.discard}>
        {t('draft.discard')}
      </Button>
    </Note>
  );
}

/** It goes away by its own buttons: who pressed one goes on in what it is about. */
function Note({ isAlert = false, children }: { isAlert?: boolean; children: ReactNode }) {
  const note = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const { current } = note;
    const about = current?.closest('.ui-field-control, form, .settings-fields') ?? null;
    return () => {
      if (current?.contains(document.activeElement)) requestAnimationFrame(() => goOnIn(about));
    };
  }, []);
  return (
    <div
      ref={note}
      className={isAlert ? 'draft-note draft-overtaken' : 'draft-note'}
      role={isAlert ? 'alert' : 'status'}
    >
      {children}
    </div>
  );
}

const isNothing = (saved: unknown) => saved === null || saved === undefined || saved === '';

function printed(saved: unknown): string {
  if (typeof saved === 'boolean') return t(saved ? 'draft.on' : 'draft.off');
  const text = typeof saved === 'string' ? saved : JSON.stringify(saved);
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}

/** The button that leaves a form without saving, and says so where there is something to lose. */
export function DraftCancel({ draft, onLeave }: { draft: KeptDraft; onLeave(): void }) {
  const leave = () => {
    draft.discard();
    onLeave();
  };
  return <Button onClick={leave}>{t(draft.changed ? 'draft.discardChanges' : 'ui.cancel')}</Button>;
}

/** Of a form in two parts. */
export const bothOf = (one: KeptDraft, other: KeptDraft): KeptDraft => {
  const both = (act: 'discard' | 'keepMine' | 'takeTheirs') => () => {
    one[act]();
    other[act]();
  };
  return {
    changed: one.changed || other.changed,
    restored: one.restored || other.restored,
    overtaken: [...one.overtaken, ...other.overtaken],
    discard: both('discard'),
    keepMine: both('keepMine'),
    takeTheirs: both('takeTheirs'),
  };
};
