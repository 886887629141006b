import { useEffect } from 'react';
import { create } from 'zustand';
import { askBeforeLosing } from '../core/unsent';
import { lookForComposing } from '../layout/composing';
import { type ActiveEditor, activeNote, pathOf, type Tab, useLayout } from '../layout/layout';
import { newNote } from '../layout/make-note';
import { keepUnmade } from '../layout/unmade';
import { takeHeldText } from './held-keys';
import { focusTab } from './keep-focus';
import { createNoteField } from './note-field';

type NotMade = NonNullable<ReturnType<typeof useLayout.getState>['notMade']>;
type Awaited = NonNullable<ReturnType<typeof inWhat>>;
type Field = ReturnType<typeof createNoteField>;

/** What was typed for one note. */
interface Typed {
  /** What was asked for first; it may be another one with each step that brings the note nearer. */
  readonly asked: Awaited;
  path: string | null;
  /** Before what stands in the field: text, and keys of the editor. */
  readonly steps: (Text | KeyboardEvent)[];
  last: Text;
}
interface Text {
  readonly text: string;
  readonly caret: number;
}

interface NoteToCome {
  readonly field: Field | null;
  /** The note that what is typed in the field is for; no path: it is still being made. */
  readonly shown: { readonly path: string | null; readonly isAwaited: boolean } | null;
  /** What was typed before what stands in the field. */
  readonly before: string;
}
export const useNoteToCome = create<NoteToCome>(() => ({ field: null, shown: null, before: '' }));

export const noteToComeId = 'note-to-come';
const home = () => document.getElementById(noteToComeId);
const nothing: Text = { text: '', caret: 0 };

/**
 * From the press that asks for a note to write in until its editor is there, what is typed is for that note: it stands in a
 * field, which has the focus, and waits for the editor, also where the person has gone somewhere else meanwhile. Where the note
 * cannot be made it is kept in the place of the note.
 */
export function useTypedForNote(): void {
  useEffect(() => {
    let awaited = inWhat();
    /** The last one asked for. */
    let current: Typed | null = null;
    let waiting: Typed[] = [];
    let inField: Typed | null = null;
    let isHeld = false;

    const field = createNoteField({
      onKey(event) {
        save();
        if (!inField) return;
        if (inField.last.text !== '') inField.steps.push(inField.last);
        inField.steps.push(event);
        inField.last = nothing;
        element.value = '';
        tell();
      },
      onEscape: () => leave(),
      holds: () => isHeld,
    });
    const { element } = field;
    lookForComposing(field.isComposing);

    const save = () => {
      if (inField) inField.last = { text: element.value, caret: element.selectionEnd };
    };
    const tell = () => {
      const shown = inField && { path: inField.path, isAwaited: inField === current };
      const { field: last, shown: before } = useNoteToCome.getState();
      const isSame = shown?.path === before?.path && shown?.isAwaited === before?.isAwaited;
      useNoteToCome.setState({
        field: last ?? field,
        shown: isSame ? before : shown,
        before: textOf(inField?.steps ?? []),
      });
    };
    const leave = () => {
      isHeld = false;
      if (field.hasFocus() && !field.giveBack()) focusTab();
    };
    /** What was typed for the note that is looked at, or that is being made. */
    const show = () => {
      save();
      const at = activeNote(useLayout.getState());
      const isShown = (one: Typed) => (one.path === null ? one === current : one.path === at);
      const next = waiting.find(isShown) ?? null;
      if (next !== inField) {
        inField = next;
        element.value = next?.last.text ?? '';
        element.setSelectionRange(next?.last.caret ?? 0, next?.last.caret ?? 0);
      }
      tell();
      if (next) field.appear(home());
      else {
        leave();
        element.remove();
      }
    };
    const start = (next: Awaited) => {
      save();
      const asked = 'asked' in next && next.asked ? next.asked : next;
      const path = next.path;
      const isIt = (one: Typed) => one.asked === asked || (path !== null && one.path === path);
      const before = waiting.find(isIt);
      current = before ?? { asked, path, steps: [], last: nothing };
      current.path = path;
      waiting = [...waiting.filter((one) => one !== current), current];
      // A dialog that came meanwhile has its own.
      if (before && !field.hasFocus() && useLayout.getState().modal) return;
      show();
      if (inField !== current) return;
      isHeld = true;
      field.take(home());
      const held = takeHeldText();
      if (held !== '') document.execCommand('insertText', false, held);
    };
    const give = () => {
      const { editor } = useLayout.getState();
      if (!editor || field.isComposing()) return;
      save();
      // Into one that cannot be written in nothing is put; it stays where it is seen.
      const takes = (one: Typed) => !editor.readOnly || textOf(stepsOf(one)) === '';
      const arrived = waiting.filter((one) => one !== current && one.path === editor.path && takes(one));
      const isTyping = field.hasFocus() && inField !== null && arrived.includes(inField);
      waiting = waiting.filter((one) => !arrived.includes(one));
      if (inField && arrived.includes(inField)) {
        inField = null;
        element.value = '';
      }
      if (isTyping) {
        isHeld = false;
        editor.focus();
      }
      for (const one of arrived) for (const step of stepsOf(one)) hand(editor, step);
    };

    /** In a place of its own, out of which its person takes it. */
    const keepApart = (vault: string | null, typed: readonly Typed[]) => {
      waiting = waiting.filter((one) => !typed.includes(one));
      for (const one of typed) {
        const text = textOf(stepsOf(one));
        if (text === '' || vault === null) continue;
        const { path } = one;
        const asked = path === null ? newNote() : { path, isConversation: false, isThere: true };
        keepUnmade(vault, { asked: { ...asked, what: '' }, error: null, typed: text, goesOn: false });
      }
    };
    const keep = ({ wanted, asked, error }: NotMade, vault: string | null) => {
      save();
      const typed = waiting.find((one) => one.asked === wanted);
      const goesOn = typed !== undefined && typed === current && isHeld;
      waiting = waiting.filter((one) => one !== typed);
      const text = textOf(typed ? stepsOf(typed) : []);
      if (vault === null || (asked === null && text === '')) return;
      const elsewhere = { ...newNote(), what: '' };
      keepUnmade(vault, { asked: asked ?? elsewhere, error, typed: text, goesOn: goesOn && asked !== null });
    };

    const follow = () => {
      give();
      waiting = waiting.filter((one) => one === current || stepsOf(one).length > 0);
      show();
    };
    const stopFollowing = useLayout.subscribe(({ vault, notMade, tabs }, before) => {
      if (notMade && notMade !== before.notMade) keep(notMade, vault);
      const last = awaited;
      awaited = inWhat();
      if (vault !== before.vault) {
        save();
        keepApart(before.vault, waiting);
        current = null;
      }
      if (tabs !== before.tabs) {
        save();
        for (const one of waiting) one.path = pathNow(one.path, tabs, before.tabs);
        const isClosed = ({ path }: Typed) => path !== null && !tabs.some((tab) => pathOf(tab) === path);
        if (current && isClosed(current)) current = null;
        keepApart(vault, waiting.filter(isClosed));
      }
      if (awaited === null) current = null;
      else if (awaited !== last) start(awaited);
      if (current === null) isHeld = false;
      follow();
    });

    const isTyped = () => {
      save();
      return waiting.some((one) => textOf(stepsOf(one)) !== '');
    };
    const stopAsking = askBeforeLosing(isTyped);
    const onLeave = () => {
      save();
      const { vault } = useLayout.getState();
      [inField, current] = [null, null];
      keepApart(vault, waiting);
      show();
    };
    const onPointer = ({ target }: Event) => {
      // Whoever takes the mouse goes somewhere else; what they have typed was for the note.
      if (!(target instanceof Node && home()?.contains(target))) isHeld = false;
    };
    element.addEventListener('compositionend', follow);
    window.addEventListener('pagehide', onLeave);
    window.addEventListener('pointerdown', onPointer, true);
    tell();
    return () => {
      isHeld = false;
      window.removeEventListener('pointerdown', onPointer, true);
      window.removeEventListener('pagehide', onLeave);
      stopAsking();
      stopFollowing();
      onLeave();
      field.destroy();
      useNoteToCome.setState({ field: null, shown: null, before: '' });
    };
  }, []);
}

/** Once a dialog that the field was in is gone, it is where it is seen again. */
export function bringHome(): void {
  const { field, shown } = useNoteToCome.getState();
  if (!field || !shown) return;
  if (field.holds()) field.take(home());
  else field.appear(home());
}

/** A note that is moved keeps its tab. */
function pathNow(path: string | null, tabs: readonly Tab[], before: readonly Tab[]): string | null {
  const id = path === null ? undefined : before.find((tab) => pathOf(tab) === path)?.id;
  const tab = id === undefined ? undefined : tabs.find((one) => one.id === id);
  return tab ? pathOf(tab) : path;
}

const stepsOf = ({ steps, last }: Typed) => (last.text === '' ? steps : [...steps, last]);

const textOf = (steps: readonly (Text | KeyboardEvent)[]) =>
  steps.map((step) => ('text' in step ? step.text : '')).join('');

function hand(editor: ActiveEditor, step: Text | KeyboardEvent): void {
  if ('text' in step) editor.type(step.text, step.caret);
  else editor.press(step);
}

/** What is put into a note comes before what is typed there. */
function inWhat() {
  const { wanted, insertion } = useLayout.getState();
  return wanted ?? insertion;
}
