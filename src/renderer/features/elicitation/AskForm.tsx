import type { ReactNode } from 'react';
import type { AskAnswer } from '../../../contract/asks';
import { useFormDraft } from '../../base/drafts/form-draft';
import { Answers } from '../../base/parts/Answers';
import { t } from '../../base/text/text';
import { visible } from '../../base/text/visible';
import { Button, Callout, Field, Input, Select, Switch } from '../../ui';
import { type AskField, contentOf, fieldsOf, isBadNumber, seemsSecret, startValues } from './fields';

type Content = NonNullable<Extract<AskAnswer, { action: 'accept' }>['content']>;

export interface AskFormProps {
  /** Of the question. */
  id: string;
  schema: Readonly<Record<string, unknown>>;
  onSubmit(content: Content): void;
  /** The other answers. */
  children: ReactNode;
}

export function AskForm({ id, schema, onSubmit, children }: AskFormProps) {
  const fields = fieldsOf(schema);
  const draft = useFormDraft<{ values: Content }>(`ask ${id}`, { values: startValues(fields) }, ['values']);
  const { values } = draft.values;
  const content = contentOf(fields, values);
  const set = (name: string, value: Content[string] | undefined) => {
    const { [name]: _before, ...others } = values;
    draft.set({ values: value === undefined ? others : { ...others, [name]: value } });
  };
  return (
    <form
      className="ask-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (content) onSubmit(content);
      }}
    >
      {fields.some(seemsSecret) && <Callout tone="warn">{t('question.secret')}</Callout>}
      {fields.map((field) => (
        <Control
          key={field.name}
          field={field}
          value={values[field.name]}
          onChange={(value) => set(field.name, value)}
        />
      ))}
      <Answers to={id} endsWithCore>
        <div className="ask-actions">
          <Button type="submit" size="s" look="primary" disabled={content === null}>
            {t('question.send')}
          </Button>
          {children}
        </div>
      </Answers>
    </form>
  );
}

interface ControlProps {
  field: AskField;
  value: Content[string] | undefined;
  onChange(value: Content[string] | undefined): void;
}

function Control({ field, value, onChange }: ControlProps) {
  const { title, required, description, kind } = field;
  const isUnread = kind === 'number' && typeof value === 'string' && isBadNumber(field, value);
  return (
    <Field
      label={visible(required ? `${title} *` : title)}
      hint={description && visible(description)}
      error={isUnread ? t(field.whole ? 'form.notAWholeNumber' : 'form.notANumber') : null}
    >
      {(ties) => {
        switch (kind) {
          case 'boolean':
            return <Switch id={ties.id} checked={value === true} onChange={onChange} />;
          case 'choice':
            return (
              <Select
                {...ties}
                value={typeof value === 'string' ? value : undefined}
                options={field.options}
                onChange={onChange}
              />
            );
          case 'choices':
            return (
              <fieldset className="ask-choices">
                {field.options.map((option) => {
                  const chosen = Array.isArray(value) ? value : [];
                  return (
                    <label key={option.value}>
                      <input
                        type="checkbox"
                        checked={chosen.includes(option.value)}
                        onChange={({ target }) =>
                          onChange(
                            target.checked
                              ? [...chosen, option.value]
                              : chosen.filter((one) => one !== option.value),
                          )
                        }
                      />
                      {option.label}
                    </label>
                  );
                })}
              </fieldset>
            );
          case 'number':
            return (
              <Input
                {...ties}
                inputMode={field.whole ? 'numeric' : 'decimal'}
                value={typeof value === 'number' || typeof value === 'string' ? value : ''}
                onChange={({ target }) => onChange(target.value === '' ? undefined : target.value)}
              />
            );
          case 'text':
            return (
              <Input
                {...ties}
                value={typeof value === 'string' ? value : ''}
                onChange={({ target }) => onChange(target.value === '' ? undefined : target.value)}
              />
            );
        }
      }}
    </Field>
  );
}
