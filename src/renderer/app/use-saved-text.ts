import { useEffect, useRef } from 'react';
import { type FormDraft, useFormDraft } from './form-draft';

export interface SavedText {
  readonly text: string;
  /** Kept since before it was shown. */
  readonly draft: FormDraft<{ text: string }>;
  type(text: string): void;
  /** Saves what can be saved; the rest stays as a draft. */
  leave(): void;
}

/**
 * A text that is saved when its box is left, also by a dialog that closes and takes it away without a blur. `read` gives
 * it as it is saved, null where it cannot be; `save` says whether it was taken.
 */
export function useSavedText(
  name: string,
  value: string,
  read: (text: string) => string | null,
  save: (text: string) => Promise<boolean>,
): SavedText {
  const draft = useFormDraft(`setting ${name}`, { text: value }, []);
  const leave = () => {
    const good = draft.changed ? read(draft.values.text) : null;
    if (good === null) return;
    if (good === value) draft.discard();
    else void save(good).then((taken) => taken && draft.discard());
  };
  const latest = useRef(leave);
  useEffect(() => {
    latest.current = leave;
  });
  useEffect(() => () => latest.current(), []);
  return { text: draft.values.text, draft, type: (text) => draft.set({ text }), leave };
}
