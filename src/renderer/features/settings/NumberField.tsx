import { DraftNote } from '../../base/drafts/DraftNote';
import { type SettingName, useSavedText } from '../../base/parts/use-saved-text';
import { t } from '../../base/text/text';
import { Field, Input } from '../../ui';

export interface NumberFieldProps {
  name: SettingName;
  label: string;
  hint?: string;
  value: number;
  min: number;
  max?: number;
  onChange(value: number): Promise<boolean>;
}

/** A whole number, saved on leaving or Enter if it is within its limits. */
export function NumberField({ name, label, hint, value, min, max, onChange }: NumberFieldProps) {
  const read = (text: string) => {
    const number = Number(text);
    const good = text.trim() !== '' && Number.isInteger(number) && number >= min && number <= (max ?? number);
    return good ? String(number) : null;
  };
  const { text, draft, type, leave, save } = useSavedText(name, String(value), read, (good) =>
    onChange(Number(good)),
  );
  return (
    <Field
      row
      label={label}
      hint={hint}
      error={
        read(text) !== null
          ? null
          : max === undefined
            ? t('settings.badNumberMin', { min })
            : t('settings.badNumber', { min, max })
      }
    >
      {(ties) => (
        <>
          <Input
            {...ties}
            className="settings-number"
            inputMode="numeric"
            value={text}
            onChange={(event) => type(event.target.value)}
            onBlur={leave}
            onKeyDown={(event) => event.key === 'Enter' && draft.overtaken.length === 0 && save?.()}
          />
          <DraftNote draft={draft} onSave={save} />
        </>
      )}
    </Field>
  );
}
