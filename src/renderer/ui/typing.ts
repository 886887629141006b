/** Milliseconds without a key after which nobody is in the middle of a word. */
const pause = 800;

let typedAt = Number.NEGATIVE_INFINITY;

/** Whether somebody is typing into a box just now, also into one that went away under their hands. */
export const isTyping = (): boolean => performance.now() - typedAt < pause;

/** Follows what is typed until the returned function is called. */
export function followTyping(target: Window): () => void {
  const pressed = ({ key, target: at, ctrlKey, altKey, metaKey }: KeyboardEvent) => {
    const isText = [...key].length === 1 && !ctrlKey && !altKey && !metaKey;
    const isInBox = at instanceof HTMLInputElement || at instanceof HTMLTextAreaElement;
    const isInLines = at instanceof HTMLTextAreaElement;
    const goesOn = isInBox || (at === document.body && isTyping());
    if (goesOn && (isText || key === 'Backspace' || (key === 'Enter' && (isInLines || !isInBox))))
      typedAt = performance.now();
    else if (key !== 'Shift' && key !== 'Dead') typedAt = Number.NEGATIVE_INFINITY;
  };
  target.addEventListener('keydown', pressed, true);
  return () => target.removeEventListener('keydown', pressed, true);
}
