import { useEffect, useState } from 'react';
import { printTyped, readJson, Unread } from '../../base/text/typed-json';
import { TextArea } from '../../ui';

export interface RawFieldProps {
  /** An `Unread` where what is typed is no value yet. */
  value: unknown;
  onChange(value: unknown): void;
  read?(text: string): unknown;
  id?: string;
  'aria-label'?: string;
}

/** A value as JSON. */
export function RawField({ value, onChange, read = readJson, ...ties }: RawFieldProps) {
  const { text, type } = useTyped(value, onChange, read);
  return (
    <>
      <TextArea
        {...ties}
        mono
        aria-invalid={value instanceof Unread}
        placeholder="{}"
        value={text}
        onChange={(event) => type(event.target.value)}
      />
      {value instanceof Unread && (
        <p className="ui-field-error" role="alert">
          {value.problem}
        </p>
      )}
    </>
  );
}

/** The text stays as it is typed while it says what the value is. */
export function useTyped(
  value: unknown,
  onChange: (value: unknown) => void,
  read: (text: string) => unknown,
) {
  const [text, setText] = useState(() => printTyped(value));
  useEffect(() => {
    setText((current) => (printTyped(read(current)) === printTyped(value) ? current : printTyped(value)));
  }, [value, read]);
  const type = (next: string) => {
    setText(next);
    onChange(read(next));
  };
  return { text, type };
}
