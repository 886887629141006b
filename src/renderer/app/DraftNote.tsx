import { Button } from '../ui';
import type { FormDraft } from './form-draft';
import { t } from './text';

type Kept = Pick<FormDraft<unknown>, 'changed' | 'restored' | 'discard'>;

/** Says that a form holds what was typed into it before it was opened. */
export function DraftNote({ draft }: { draft: Kept }) {
  if (!draft.restored) return null;
  return (
    <div className="draft-note" role="status">
      <span>{t('draft.unsaved')}</span>
      <Button size="s" look="quiet" onClick={draft.discard}>
        {t('draft.discard')}
      </Button>
    </div>
  );
}

/** The button that leaves a form without saving, and says so where there is something to lose. */
export function DraftCancel({ draft, onLeave }: { draft: Kept; onLeave(): void }) {
  const leave = () => {
    draft.discard();
    onLeave();
  };
  return <Button onClick={leave}>{t(draft.changed ? 'draft.discardChanges' : 'ui.cancel')}</Button>;
}

/** Of a form in two parts. */
export const bothOf = (one: Kept, other: Kept): Kept => ({
  changed: one.changed || other.changed,
  restored: one.restored || other.restored,
  discard: () => {
    one.discard();
    other.discard();
  },
});
