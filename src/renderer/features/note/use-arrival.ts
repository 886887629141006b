import type { EditorView } from '@codemirror/view';
import { useEffect } from 'react';
import { afterComposing } from '../../base/layout/composing';
import { useLayout } from '../../base/layout/layout';
import { t } from '../../base/text/text';
import { type OpenNote, useOpenNotes } from '../editor/context/open-notes';
import { hasPlace } from './kept-places';

/** Brings the person to where they wanted to be in the note, once it is there. */
export function useArrival(
  path: string,
  view: () => EditorView | null,
  { ready }: OpenNote,
  failedToOpen: boolean,
): void {
  const place = useLayout((layout) => (layout.focusRequest?.path === path ? layout.focusRequest.at : null));
  useEffect(() => {
    const editor = view();
    if (!place || !ready || !editor) return;
    // A dialog that is closed lets go of the focus first.
    const arrive = () => {
      if (place === 'end' || (place === 'kept-or-end' && !hasPlace(path)))
        editor.dispatch({ selection: { anchor: editor.state.doc.length }, scrollIntoView: true });
      editor.focus();
      useLayout.getState().arrived();
    };
    let callOff: (() => void) | null = null;
    const frame = requestAnimationFrame(() => {
      callOff = afterComposing(arrive);
    });
    return () => {
      cancelAnimationFrame(frame);
      callOff?.();
    };
  }, [place, path, view, ready]);

  useEffect(() => {
    if (!place || !failedToOpen) return;
    // One that is renamed while it opens is there a moment later.
    const timer = setTimeout(() => useLayout.getState().arrived(), 1_000);
    return () => clearTimeout(timer);
  }, [place, failedToOpen]);
}

/** Puts what was to be inserted into the note, once it is there. */
export function useInsertion(path: string, { ready }: OpenNote, failedToOpen: boolean): void {
  const change = useOpenNotes((notes) => notes.change);
  const insertion = useLayout((layout) => (layout.insertion?.path === path ? layout.insertion : null));
  useEffect(() => {
    if (insertion && failedToOpen) useLayout.getState().endInsertion();
    if (!insertion || !ready) return;
    // The place where the person was is taken up first.
    const frame = requestAnimationFrame(() => {
      const { editor, endInsertion } = useLayout.getState();
      if (editor?.path !== path) return;
      endInsertion();
      if (editor.readOnly) change(path, { problem: t('note.notInserted'), settledIn: null });
      else insertion.put(editor);
    });
    return () => cancelAnimationFrame(frame);
  }, [insertion, path, ready, failedToOpen, change]);
}
