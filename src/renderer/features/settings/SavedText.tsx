import { type ChangeEvent, type ReactNode, useEffect, useState } from 'react';
import { useLeaving } from './use-leaving';

export interface SavedTextProps {
  value: string;
  onSave(value: string): void;
  children(bound: {
    value: string;
    onChange(event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>): void;
    onBlur(): void;
  }): ReactNode;
}

/** A text that is saved when the person leaves its box, not at every key. */
export function SavedText({ value, onSave, children }: SavedTextProps) {
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  const save = () => {
    if (text !== value) onSave(text);
  };
  useLeaving(save);
  return children({
    value: text,
    onChange: (event) => setText(event.target.value),
    onBlur: save,
  });
}
