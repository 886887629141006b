import { commandFor } from './commands';
import { isAlone, isText } from './held-keys';

export interface NoteFieldParts {
  /** A key that only the editor of the note knows what to do with. */
  onKey(event: KeyboardEvent): void;
  onEscape(): void;
  /** Whoever takes the focus from it without being asked to gives it back. */
  holds(): boolean;
}

const modifiers = /^(?:Shift|Control|Alt|AltGraph|Meta|CapsLock)$/;
const changes = /^(?:Backspace|Delete|Arrow.*|Home|End|Page.*)$/;
const anyDialog = '[role="dialog"], [role="alertdialog"]';

/** In an empty field those that move and remove are the note's, and so is what is undone. */
function isOfField(event: KeyboardEvent, isEmpty: boolean): boolean {
  const { key } = event;
  if (modifiers.test(key) || isText(event)) return true;
  if (key === 'Enter') return isAlone(event);
  const withMod = event.ctrlKey || event.metaKey;
  if (key === 'Insert' || (withMod && /^[vcx]$/i.test(key))) return true;
  return !isEmpty && (changes.test(key) || (withMod && /^[azy]$/i.test(key)));
}

const isOfBrowser = ({ key, ctrlKey, metaKey }: KeyboardEvent) =>
  /^F\d+$/.test(key) || ((ctrlKey || metaKey) && /^[rlt]$/i.test(key));

/**
 * A text field that has the focus until the editor of its note is there, and takes whatever a text field can take. Long, as its
 * listeners share what each of them saw last.
 */
export function createNoteField({ onKey, onEscape, holds }: NoteFieldParts) {
  const element = document.createElement('textarea');
  element.id = 'note-field';
  element.className = 'ui-input ui-text-area note-field';
  element.rows = 2;
  const begunHere = new Set<string>();
  let isComposing = false;
  /** What the key that asks for the note does beside that is not for the note. */
  let isPressing = false;
  let isShown = false;
  let before: Element | null = null;

  const onPressed = () => {
    isPressing = true;
    setTimeout(onReleased);
  };
  const onReleased = () => {
    isPressing = false;
  };
  window.addEventListener('keydown', onPressed, true);
  window.addEventListener('keyup', onReleased, true);

  element.addEventListener('keydown', (event) => {
    isPressing = false;
    if (!event.isTrusted || event.isComposing || event.key === 'Process' || event.key === 'Dead') return;
    if (event.key !== 'Escape' && (commandFor(event) || isOfBrowser(event))) return;
    event.stopPropagation();
    if (!event.repeat) begunHere.add(event.code);
    const isAsked = begunHere.has(event.code);
    if (isAsked && isOfField(event, element.value === '')) return;
    if (event.key === 'Tab' && isShown) return;
    event.preventDefault();
    if (event.key === 'Escape') onEscape();
    else if (isAsked) onKey(event);
  });
  element.addEventListener('beforeinput', (event) => {
    if (isPressing) event.preventDefault();
  });
  element.addEventListener('compositionstart', () => {
    isComposing = true;
  });
  element.addEventListener('compositionend', () => {
    isComposing = false;
  });
  element.addEventListener('focusout', () =>
    queueMicrotask(() => {
      const now = document.activeElement;
      // What has come over it gives the focus back by itself.
      if (holds() && now !== element && !now?.closest(anyDialog)) element.focus({ preventScroll: true });
    }),
  );

  const hasFocus = () => document.activeElement === element;
  return {
    element,
    hasFocus,
    holds,
    /** An input method is asked still, and what is there may change. */
    isComposing: () => isComposing && hasFocus(),
    setVisible(now: boolean): void {
      isShown = now;
    },
    /** Where it is seen, unless it is in a dialog that is there still. */
    appear(home: HTMLElement | null): void {
      if (home && !element.closest(anyDialog)?.isConnected && element.parentElement !== home)
        home.append(element);
    },
    /** A dialog that is left lets nothing outside of it have the focus. */
    take(home: HTMLElement | null): void {
      const dialogs = document.querySelectorAll(anyDialog);
      const place = dialogs[dialogs.length - 1] ?? home;
      if (!place) return;
      if (!hasFocus()) {
        before = document.activeElement;
        begunHere.clear();
      }
      if (element.parentElement !== place) place.append(element);
      element.focus({ preventScroll: true });
    },
    /** To what had the focus before; false: it is gone. */
    giveBack(): boolean {
      if (!(before instanceof HTMLElement) || !before.isConnected || before === document.body) return false;
      before.focus();
      return document.activeElement === before;
    },
    destroy(): void {
      window.removeEventListener('keydown', onPressed, true);
      window.removeEventListener('keyup', onReleased, true);
      element.remove();
    },
  };
}
