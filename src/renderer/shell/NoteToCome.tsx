import { useEffect, useLayoutEffect, useState } from 'react';
import { bringHome, noteToComeId, useNoteToCome } from '../base/keyboard/note-to-come';
import { useLayout } from '../base/layout/layout';
import { noteName } from '../base/text/format';
import { t } from '../base/text/text';

/** Milliseconds; most notes are there before, and nothing has to be said. */
const lateMs = 700;

/** Shows what is typed for a note that keeps somebody waiting. */
export function NoteToCome() {
  const { field, target, before } = useNoteToCome();
  const modal = useLayout((layout) => layout.modal);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a dialog that it was in takes it along.
  useLayoutEffect(bringHome, [modal]);
  const [late, setLate] = useState<typeof target>(null);
  useEffect(() => {
    if (!target) return;
    const timer = setTimeout(() => setLate(target), target.isAwaited ? lateMs : 0);
    return () => clearTimeout(timer);
  }, [target]);
  const isSeen = target !== null && late !== null;
  useEffect(() => {
    if (!target) setLate(null);
    field?.setVisible(isSeen);
  }, [field, target, isSeen]);

  const path = target?.path ?? null;
  return (
    <div className={isSeen ? 'note-to-come' : 'visually-hidden'}>
      {target && (
        <>
          <label htmlFor="note-field">
            {path === null ? t('toCome.newNote') : t('toCome.note', { name: noteName(path) })}
          </label>
          {isSeen && <p role="status">{t('toCome.text')}</p>}
          {before !== '' && <div className="note-to-come-before">{before}</div>}
        </>
      )}
      <div id={noteToComeId} />
    </div>
  );
}
