import { useEffect, useLayoutEffect, useState } from 'react';
import { bringHome, noteToComeId, useNoteToCome } from '../base/keyboard/note-to-come';
import { useLayout } from '../base/layout/layout';
import { noteName } from '../base/text/format';
import { t } from '../base/text/text';

/** Milliseconds; most notes are there before, and nothing has to be said. */
const lateMs = 700;

/** Shows what is typed for a note that keeps somebody waiting. */
export function NoteToCome() {
  const { field, shown, before } = useNoteToCome();
  const modal = useLayout((layout) => layout.modal);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a dialog that it was in takes it along.
  useLayoutEffect(bringHome, [modal]);
  const [late, setLate] = useState<typeof shown>(null);
  useEffect(() => {
    if (!shown) return;
    const timer = setTimeout(() => setLate(shown), shown.isAwaited ? lateMs : 0);
    return () => clearTimeout(timer);
  }, [shown]);
  const isSeen = shown !== null && late !== null;
  useEffect(() => {
    if (!shown) setLate(null);
    field?.shown(isSeen);
  }, [field, shown, isSeen]);

  const path = shown?.path ?? null;
  return (
    <div className={isSeen ? 'note-to-come' : 'visually-hidden'}>
      {shown && (
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
