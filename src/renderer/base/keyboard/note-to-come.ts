import { create } from 'zustand';
import { useLayout } from '../layout/layout';
import { activeNote } from '../layout/layout-state';
import { takeHeldText } from './held-keys';
import { focusTab } from './keep-focus';
import { createNoteField } from './note-field';
import { noText, type Typed, textOf, type WaitingTexts } from './waiting-texts';

interface NoteToCome {
  readonly field: ReturnType<typeof createNoteField> | null;
  /** The note that what is typed in the field is for; no path: it is still being made. */
  readonly target: { readonly path: string | null; readonly isAwaited: boolean } | null;
  /** What was typed before what stands in the field. */
  readonly before: string;
}
const nothingToCome: NoteToCome = { field: null, target: null, before: '' };
export const useNoteToCome = create<NoteToCome>(() => nothingToCome);

export const noteToComeId = 'note-to-come';
const home = () => document.getElementById(noteToComeId);

/** The field with what was typed for the note that is looked at, and whether its person is held there until the note comes. One closure, since the field, its words and the note that it stands for change together. */
export function createFieldToCome(texts: WaitingTexts) {
  let inField: Typed | null = null;
  let isHeld = false;

  const field = createNoteField({
    onKey(event) {
      save();
      if (!inField) return;
      if (inField.last.text !== '') inField.steps.push(inField.last);
      inField.steps.push(event);
      inField.last = noText;
      element.value = '';
      tell();
    },
    onEscape: () => leave(),
    holds: () => isHeld,
  });
  const { element } = field;

  const save = () => {
    if (inField) inField.last = { text: element.value, caret: element.selectionEnd };
  };
  const tell = () => {
    const note = inField && { path: inField.path, isAwaited: inField === texts.current() };
    const { field: last, target: before } = useNoteToCome.getState();
    const isSame = note?.path === before?.path && note?.isAwaited === before?.isAwaited;
    useNoteToCome.setState({
      field: last ?? field,
      target: isSame ? before : note,
      before: textOf(inField?.steps ?? []),
    });
  };
  const leave = () => {
    isHeld = false;
    if (field.hasFocus() && !field.giveBack()) focusTab();
  };

  return {
    element,
    hasFocus: field.hasFocus,
    isComposing: field.isComposing,
    isHeld: () => isHeld,
    /** Whoever goes somewhere else is let go. */
    release(): void {
      isHeld = false;
    },
    /** What stands in the field belongs to its text. */
    save,
    tell,
    show(): void {
      save();
      const next = texts.shownAt(activeNote(useLayout.getState()));
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
    },
    /** Takes the focus for the note asked for last, with what was pressed since; not where another one is looked at. */
    take(): void {
      if (inField !== texts.current()) return;
      isHeld = true;
      field.take(home());
      const heldText = takeHeldText();
      if (heldText !== '') document.execCommand('insertText', false, heldText);
    },
    /** These are no more the field's; true: one of them was being typed. */
    giveAway(arrived: readonly Typed[]): boolean {
      if (!inField || !arrived.includes(inField)) return false;
      const isTyping = field.hasFocus();
      inField = null;
      element.value = '';
      if (isTyping) isHeld = false;
      return isTyping;
    },
    /** What stood there stays with its text. */
    empty(): void {
      inField = null;
    },
    isWithin: (target: EventTarget | null) => target instanceof Node && home()?.contains(target) === true,
    destroy(): void {
      field.destroy();
      useNoteToCome.setState(nothingToCome);
    },
  };
}

/** Once a dialog that the field was in is gone, it is where it is seen again. */
export function bringHome(): void {
  const { field, target } = useNoteToCome.getState();
  if (!field || !target) return;
  if (field.holds()) field.take(home());
  else field.appear(home());
}
