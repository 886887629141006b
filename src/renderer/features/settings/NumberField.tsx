import { useEffect, useState } from 'react';
import { t } from '../../app/text';
import { Field, Input } from '../../ui';
import { useLeaving } from './use-leaving';

export interface NumberFieldProps {
  label: string;
  hint?: string;
  value: number;
  min: number;
  max?: number;
  onChange(value: number): void;
}

/** A whole number, saved on leaving or Enter if it is within its limits. */
export function NumberField({ label, hint, value, min, max, onChange }: NumberFieldProps) {
  const [text, setText] = useState(String(value));
  useEffect(() => setText(String(value)), [value]);
  const number = Number(text);
  const good = text.trim() !== '' && Number.isInteger(number) && number >= min && number <= (max ?? number);
  const save = () => {
    if (good && number !== value) onChange(number);
  };
  useLeaving(save);
  return (
    <Field
      row
      label={label}
      hint={hint}
      error={
        good
          ? null
          : max === undefined
            ? t('settings.badNumberMin', { min })
            : t('settings.badNumber', { min, max })
      }
    >
      {(ties) => (
        <Input
          {...ties}
          className="settings-number"
          inputMode="numeric"
          value={text}
          onChange={(event) => setText(event.target.value)}
          onBlur={save}
          onKeyDown={(event) => event.key === 'Enter' && save()}
        />
      )}
    </Field>
  );
}
