import { useEffect } from 'react';
import { askBeforeLosing } from '../core/unsent';
import { lookForComposing } from '../layout/composing';
import { useLayout } from '../layout/layout';
import type { ActiveEditor } from '../layout/layout-state';
import { newNote } from '../layout/make-note';
import { keepUnmade } from '../layout/unmade';
import { createFieldToCome } from './note-to-come';
import {
  createWaitingTexts,
  type NoteRequest,
  stepsOf,
  type Text,
  type Typed,
  textOf,
} from './waiting-texts';

type NotMade = NonNullable<ReturnType<typeof useLayout.getState>['notMade']>;

/**
 * From the press that asks for a note to write in until its editor is there, what is typed is for that note: it stands in a
 * field, which has the focus, and waits for the editor, also where the person has gone somewhere else meanwhile. Where the note
 * cannot be made it is kept in the place of the note.
 */
export function useTypedForNote(): void {
  useEffect(followTyped, []);
}

/** Returns what ends it. One closure, since its listeners share the texts, the field and what the layout asked for last. */
function followTyped(): () => void {
  let awaited = inWhat();
  const texts = createWaitingTexts();
  const field = createFieldToCome(texts);
  lookForComposing(field.isComposing);

  const start = (next: NoteRequest) => {
    field.save();
    const isAgain = texts.begin(next);
    // A dialog that came meanwhile has its own.
    if (isAgain && !field.hasFocus() && useLayout.getState().modal) return;
    field.show();
    field.take();
  };
  const give = () => {
    const { editor } = useLayout.getState();
    if (!editor || field.isComposing()) return;
    field.save();
    const arrived = texts.takeArrived(editor);
    if (field.giveAway(arrived)) editor.focus();
    for (const typed of arrived) for (const step of stepsOf(typed)) hand(editor, step);
  };
  const keep = ({ focusRequest: request, note, error }: NotMade, vault: string | null) => {
    field.save();
    const typed = texts.takeOf(request);
    const goesOn = typed !== undefined && typed === texts.current() && field.isHeld();
    const text = textOf(typed ? stepsOf(typed) : []);
    if (vault === null || (note === null && text === '')) return;
    const elsewhere = { ...newNote(), what: '' };
    keepUnmade(vault, { note: note ?? elsewhere, error, typed: text, goesOn: goesOn && note !== null });
  };
  const follow = () => {
    give();
    texts.dropEmpty();
    field.show();
  };
  const stopFollowing = useLayout.subscribe(({ vault, notMade, tabs }, before) => {
    if (notMade && notMade !== before.notMade) keep(notMade, vault);
    const last = awaited;
    awaited = inWhat();
    if (vault !== before.vault) {
      field.save();
      keepApart(before.vault, texts.takeAll());
      texts.endCurrent();
    }
    if (tabs !== before.tabs) {
      field.save();
      keepApart(vault, texts.takeClosed(tabs, before.tabs));
    }
    if (awaited === null) texts.endCurrent();
    else if (awaited !== last) start(awaited);
    if (texts.current() === null) field.release();
    follow();
  });

  const stopAsking = askBeforeLosing(() => {
    field.save();
    return texts.hasText();
  });
  const onLeave = () => {
    field.save();
    const { vault } = useLayout.getState();
    field.empty();
    texts.endCurrent();
    keepApart(vault, texts.takeAll());
    field.show();
  };
  const onPointer = ({ target }: Event) => {
    // Whoever takes the mouse goes somewhere else; what they have typed was for the note.
    if (!field.isWithin(target)) field.release();
  };
  field.element.addEventListener('compositionend', follow);
  window.addEventListener('pagehide', onLeave);
  window.addEventListener('pointerdown', onPointer, true);
  field.tell();
  return () => {
    field.release();
    window.removeEventListener('pointerdown', onPointer, true);
    window.removeEventListener('pagehide', onLeave);
    stopAsking();
    stopFollowing();
    onLeave();
    field.destroy();
  };
}

/** In a place of its own, out of which its person takes it. */
function keepApart(vault: string | null, typed: readonly Typed[]): void {
  for (const one of typed) {
    const text = textOf(stepsOf(one));
    if (text === '' || vault === null) continue;
    const { path } = one;
    const note = path === null ? newNote() : { path, isConversation: false, isThere: true };
    keepUnmade(vault, { note: { ...note, what: '' }, error: null, typed: text, goesOn: false });
  }
}

function hand(editor: ActiveEditor, step: Text | KeyboardEvent): void {
  if ('text' in step) editor.type(step.text, step.caret);
  else editor.press(step);
}

/** What is put into a note comes before what is typed there. */
function inWhat() {
  const { focusRequest, insertion } = useLayout.getState();
  return focusRequest ?? insertion;
}
