import { useEffect, useRef } from 'react';
import type { Settings } from '../../../contract/settings';
import { type FormDraft, type KeptDraft, useFormDraft } from '../drafts/form-draft';
import { useEscapedBox } from '../keyboard/use-escaped-box';

/** What of the settings it is: never what is shown, which is another word in another language. */
export type SettingName = PathOf<Settings> | `timeout ${string} ${string}`;

type PathOf<T> = {
  [Key in keyof T & string]: T[Key] extends readonly unknown[] | string | number | boolean | null
    ? Key
    : `${Key}.${keyof T[Key] & string}`;
}[keyof T & string];

export interface SavedText {
  readonly text: string;
  /** Kept since before it was shown. */
  readonly draft: KeptDraft;
  type(text: string): void;
  /** Saves what can be saved and was typed here; the rest stays as a draft. */
  leave(): void;
  /** Saves it in the place of what is shown as saved. Undefined where it cannot be saved. */
  readonly save: (() => void) | undefined;
}

/**
 * A text that is saved when its box is left, also by a dialog that closes and takes it away without a blur; not by Escape, after
 * which it is kept as a draft. `read` gives
 * it as it is saved, null where it cannot be; `save` says whether it was taken in the place of `value`.
 */
export function useSavedText(
  name: SettingName,
  value: string,
  read: (text: string) => string | null,
  save: (text: string) => Promise<boolean>,
): SavedText {
  const draft = useFormDraft(`setting ${name}`, { text: value }, []);
  const sending = useRef<string | null>(null);
  /** It was left once more while it was being saved. */
  const again = useRef(false);
  // What this window has just sent is nobody else's.
  const draftToShow = draft.overtaken.some(({ saved }) => saved !== sending.current)
    ? draft
    : mineAlone(draft);
  const good = draft.changed ? read(draft.values.text) : null;
  const send = () => {
    again.current = sending.current !== null;
    if (good === null || again.current) return;
    if (good === value) return draft.discard();
    sending.current = good;
    void save(good).then((isSaved) => {
      sending.current = null;
      if (isSaved) draft.saved({ text: draft.values.text }, { text: good });
      if (again.current) latest.current();
      else if (!isSaved) draft.letGo();
    });
  };
  const leave = () => {
    if (draft.isSavedByLeaving()) send();
  };
  const latest = useRef(leave);
  useEffect(() => {
    latest.current = leave;
  });
  useEffect(() => () => latest.current(), []);
  useEscapedBox(draft.letGo);
  const saveMine = () => {
    draft.keepMine();
    send();
  };
  return {
    text: draft.values.text,
    draft: draftToShow,
    type: (text) => draft.set({ text }),
    leave,
    save: good === null ? undefined : saveMine,
  };
}

const mineAlone = <T>(draft: FormDraft<T>): FormDraft<T> => ({ ...draft, overtaken: [] });
