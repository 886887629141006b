/** Milliseconds between looks whether an input method has been answered. */
const lookMs = 30;

let isComposing = () => false;

/** What is half typed with an input method is asked here. */
export function lookForComposing(look: () => boolean): void {
  isComposing = look;
}

/** What takes the focus, or a field away, comes only when no word is half typed. Returns what calls that off. */
export function afterComposing(act: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const look = () => {
    if (isComposing()) timer = setTimeout(look, lookMs);
    else act();
  };
  look();
  return () => clearTimeout(timer);
}

export const composed = (): Promise<void> => new Promise((resolve) => void afterComposing(resolve));
