import { useEffect, useState } from 'react';
import { jsonFault } from '../../../contract/json';
import { t } from '../../app/text';
import { TextArea } from '../../ui';

export interface RawFieldProps {
  value: unknown;
  onChange(value: unknown): void;
  id?: string;
  'aria-label'?: string;
}

const print = (value: unknown) => (value === undefined ? '' : JSON.stringify(value, null, 2));

/** A value as JSON; while it cannot be read the last one stays, and the reason is shown. */
export function RawField({ value, onChange, ...ties }: RawFieldProps) {
  const [text, setText] = useState(() => print(value));
  const read = readJson(text);
  useEffect(() => {
    setText((shown) => (print(readJson(shown).value) === print(value) ? shown : print(value)));
  }, [value]);
  return (
    <>
      <TextArea
        {...ties}
        mono
        aria-invalid={read.problem !== null}
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          const next = readJson(event.target.value);
          if (next.problem === null) onChange(next.value);
        }}
      />
      {read.problem !== null && (
        <p className="ui-field-error" role="alert">
          {t('form.badJson', { reason: read.problem })}
        </p>
      )}
    </>
  );
}

function readJson(text: string): { value: unknown; problem: string | null } {
  if (text.trim() === '') return { value: undefined, problem: null };
  try {
    const value: unknown = JSON.parse(text);
    const fault = jsonFault(value);
    return fault === null ? { value, problem: null } : { value: undefined, problem: `It ${fault}.` };
  } catch (error) {
    return { value: undefined, problem: error instanceof Error ? error.message : '' };
  }
}
