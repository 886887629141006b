import { holdKeys, isAlone, isText, textOf } from './held-keys';

/** A box that has come has the focus by then. */
const mostFrames = 30;

/** What is typed is for the box that these words find, once that is on its way for certain, or for none. */
export function holdForBox(
  box: string,
  onEscape: () => void = () => undefined,
): {
  give(): void;
  /** The answer is what was typed and not given up. */
  drop(): string;
} {
  let isDropped = false;
  const drop = () => {
    const isGivenUp = isDropped;
    isDropped = true;
    release();
    return isGivenUp ? '' : textOf(keys);
  };
  const { keys, release } = holdKeys({
    isHeld: (event) => isText(event) || (event.key in acts && isAlone(event)),
    onEscape() {
      drop();
      onEscape();
    },
  });
  // One after the other, each when the one before is drawn; what is typed meanwhile comes behind.
  const give = (frames: number) => {
    const input = focusedBox(box);
    if (isDropped || keys.length === 0 || frames === 0) return release();
    if (input) press(input, takeNext(keys));
    requestAnimationFrame(() => give(input ? mostFrames : frames - 1));
  };
  return { give: () => void requestAnimationFrame(() => give(mostFrames)), drop };
}

function focusedBox(words: string): HTMLInputElement | null {
  const box = document.activeElement;
  return box instanceof HTMLInputElement && box.matches(words) ? box : null;
}

/** A key, or all text up to the next. */
function takeNext(keys: KeyboardEvent[]): string {
  const end = keys.findIndex(({ key }) => key in acts);
  const next = keys.splice(0, end === -1 ? keys.length : Math.max(end, 1));
  return next.map(({ key }) => key).join('');
}

function press(box: HTMLInputElement, typed: string): void {
  const act = acts[typed];
  if (act) act(box);
  else document.execCommand('insertText', false, typed);
}

const hand = (key: string) => (box: HTMLInputElement) =>
  void box.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
const moveCaret = (to: (at: number, length: number) => number) => (box: HTMLInputElement) => {
  const at = Math.min(Math.max(to(box.selectionStart ?? 0, box.value.length), 0), box.value.length);
  box.setSelectionRange(at, at);
};

/** What each key does in a box, which nobody but the browser can be asked to do. */
const acts: Readonly<Record<string, (box: HTMLInputElement) => void>> = {
  Backspace: () => document.execCommand('delete'),
  Delete: () => document.execCommand('forwardDelete'),
  ArrowLeft: moveCaret((at) => at - 1),
  ArrowRight: moveCaret((at) => at + 1),
  Home: moveCaret(() => 0),
  End: moveCaret((_, length) => length),
  Enter: hand('Enter'),
  ArrowUp: hand('ArrowUp'),
  ArrowDown: hand('ArrowDown'),
};
