import type { ChangeEvent, ReactNode } from 'react';
import { DraftNote } from '../../base/drafts/DraftNote';
import { type SettingName, useSavedText } from '../../base/parts/use-saved-text';

export interface SavedTextProps {
  name: SettingName;
  value: string;
  onSave(value: string): Promise<boolean>;
  children(bound: {
    value: string;
    onChange(event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>): void;
    onBlur(): void;
  }): ReactNode;
}

/** A text that is saved when the person leaves its box, not at every key. */
export function SavedText({ name, value, onSave, children }: SavedTextProps) {
  const { text, draft, type, leave, save } = useSavedText(name, value, (typed) => typed, onSave);
  return (
    <>
      {children({ value: text, onChange: (event) => type(event.target.value), onBlur: leave })}
      <DraftNote draft={draft} onSave={save} />
    </>
  );
}
