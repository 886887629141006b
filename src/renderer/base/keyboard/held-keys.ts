/** Pressed without any other that makes a command of it. */
export const isAlone = (event: KeyboardEvent) =>
  event.getModifierState('AltGraph') || !(event.ctrlKey || event.altKey || event.metaKey);
export const isText = (event: KeyboardEvent) => [...event.key].length === 1 && isAlone(event);

export interface HoldOptions {
  /** Which of the keys are kept; the others do nothing. */
  isHeld(event: KeyboardEvent): boolean;
  onEscape(): void;
}

export interface HeldKeys {
  /** In the order in which they were pressed. */
  readonly keys: KeyboardEvent[];
  /** What is pressed from here on is where the focus is. */
  release(): void;
}

/** Milliseconds; where nothing has come by then, whoever has the focus has the keys again. */
const longest = 10_000;

let newest: HeldKeys | null = null;

/**
 * Stands before whatever has the focus: what is pressed meanwhile is for what is on its way. Where a key that was for one
 * thing asks for another, all that was pressed behind it is for the other.
 */
export function holdKeys({ isHeld, onEscape }: HoldOptions): HeldKeys {
  const keys = newest?.keys.splice(0).filter(isHeld) ?? [];
  newest?.release();
  const begunHere = new Set<string>();
  const hold = (event: KeyboardEvent) => {
    // What is pressed here on somebody's behalf, and what an input method is asked.
    if (!event.isTrusted || event.isComposing || event.key === 'Process') return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (!event.repeat) begunHere.add(event.code);
    if (event.key === 'Escape') onEscape();
    // A key that is still down from before has done what it was pressed for.
    else if (begunHere.has(event.code) && isHeld(event)) keys.push(event);
  };
  const release = () => {
    clearTimeout(timer);
    window.removeEventListener('keydown', hold, true);
    if (newest === own) newest = null;
  };
  const own = { keys, release };
  const timer = setTimeout(release, longest);
  window.addEventListener('keydown', hold, true);
  newest = own;
  return own;
}

/** What was pressed last for something that is not to have it, as it asks for something else. */
export function takeHeldText(): string {
  const text = textOf(newest?.keys.splice(0) ?? []);
  newest?.release();
  return text;
}

/** What the keys would have written into an empty box. */
export function textOf(keys: readonly Pick<KeyboardEvent, 'key'>[]): string {
  let before: readonly string[] = [];
  let behind: readonly string[] = [];
  for (const { key } of keys) {
    if (key === 'Backspace') before = before.slice(0, -1);
    else if (key === 'Delete') behind = behind.slice(1);
    else if (key === 'Home') [before, behind] = [[], [...before, ...behind]];
    else if (key === 'End') [before, behind] = [[...before, ...behind], []];
    else if (key === 'ArrowLeft') [before, behind] = [before.slice(0, -1), [...before.slice(-1), ...behind]];
    else if (key === 'ArrowRight') [before, behind] = [[...before, ...behind.slice(0, 1)], behind.slice(1)];
    else if (key === 'Enter') before = [...before, '\n'];
    else if ([...key].length === 1) before = [...before, key];
  }
  return [...before, ...behind].join('');
}
