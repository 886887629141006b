import { Plus, X } from 'lucide-react';
import { useId } from 'react';
import type { Schema, SchemaProperty } from '../../base/schema/schema';
import { t } from '../../base/text/text';
import { readNumber, Unread } from '../../base/text/typed-json';
import { Button, IconButton, Input, Segments, Select, TextArea } from '../../ui';
import { RawField, useTyped } from './RawField';
import { emptyValue, shapeOf, shows } from './shape';

export interface ValueProps {
  schema: Schema;
  root: Schema;
  value: unknown;
  /** Undefined takes the value away. */
  onChange(value: unknown): void;
  depth?: number;
  id?: string;
  'aria-label'?: string;
}

type FormField = Pick<SchemaProperty, 'name' | 'required' | 'description' | 'schema'>;

/** Deeper than this a form helps nobody. */
const deepest = 4;

/** One control, or several, for whatever a schema describes. */
export function ValueField(props: ValueProps) {
  const { schema, root, value, onChange, depth = 0, ...ties } = props;
  const own = shapeOf(schema, root);
  const shape = depth > deepest || !shows(own, value) ? ({ kind: 'raw' } as const) : own;
  const placeholder = schema.default !== undefined ? String(JSON.stringify(schema.default)) : undefined;
  switch (shape.kind) {
    case 'string':
      return (
        <TextArea
          {...ties}
          rows={1}
          className="form-text"
          placeholder={typeof schema.default === 'string' ? schema.default : ''}
          value={typeof value === 'string' ? value : ''}
          onChange={(event) =>
            onChange(event.target.value === '' && depth === 0 ? undefined : event.target.value)
          }
        />
      );
    case 'number':
      return (
        <NumberField {...ties} value={value} whole={shape.integer} hint={placeholder} onChange={onChange} />
      );
    case 'boolean':
      return (
        <Segments
          aria-label={ties['aria-label'] ?? ''}
          value={value === undefined ? 'unset' : value ? 'yes' : 'no'}
          options={[
            { value: 'unset', label: t('form.unset') },
            { value: 'yes', label: t('form.yes') },
            { value: 'no', label: t('form.no') },
          ]}
          onChange={(choice) => onChange(choice === 'unset' ? undefined : choice === 'yes')}
        />
      );
    case 'choice': {
      const chosen = shape.options.findIndex((option) => option.value === value);
      return (
        <Select
          {...ties}
          value={chosen < 0 ? 'unset' : String(chosen)}
          options={[
            { value: 'unset', label: t('form.unset') },
            ...shape.options.map(({ label }, at) => ({ value: String(at), label })),
          ]}
          onChange={(choice) =>
            onChange(choice === 'unset' ? undefined : shape.options[Number(choice)]?.value)
          }
        />
      );
    }
    case 'list':
      return <ListField {...props} item={shape.item} depth={depth} />;
    case 'object':
      return <ObjectFields {...props} fields={shape.fields} depth={depth} />;
    case 'raw':
      return <RawField {...ties} value={value} onChange={onChange} />;
  }
}

interface NumberFieldProps extends Pick<ValueProps, 'id' | 'aria-label' | 'value' | 'onChange'> {
  whole: boolean;
  hint: string | undefined;
}

function NumberField({ value, onChange, whole, hint, ...ties }: NumberFieldProps) {
  const { text, type } = useTyped(value, onChange, readNumber);
  return (
    <>
      <Input
        {...ties}
        className="form-number"
        inputMode={whole ? 'numeric' : 'decimal'}
        aria-invalid={value instanceof Unread}
        placeholder={hint}
        value={text}
        onChange={(event) => type(event.target.value)}
      />
      {value instanceof Unread && (
        <p className="ui-field-error" role="alert">
          {t('form.notANumber')}
        </p>
      )}
    </>
  );
}

function ListField({ item, root, value, onChange, depth = 0, ...ties }: ValueProps & { item: Schema }) {
  const items = Array.isArray(value) ? value : [];
  return (
    <div className="form-list">
      {items.map((one, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: items are known by their place.
        <div key={at} className="form-item">
          <div className="form-item-value">
            <ValueField
              schema={item}
              root={root}
              value={one}
              depth={depth + 1}
              aria-label={[ties['aria-label'], t('form.item', { n: at + 1 })].filter(Boolean).join(' ')}
              onChange={(next) => onChange(items.with(at, next))}
            />
          </div>
          <IconButton
            size="s"
            icon={X}
            label={t('form.remove', { n: at + 1 })}
            onClick={() => onChange(items.toSpliced(at, 1))}
          />
        </div>
      ))}
      <Button size="s" onClick={() => onChange([...items, emptyValue(shapeOf(item, root))])}>
        <Plus size={12} strokeWidth={2} aria-hidden />
        {t('form.add')}
      </Button>
    </div>
  );
}

export interface ObjectFieldsProps extends ValueProps {
  fields: readonly FormField[];
}

export function ObjectFields({ fields, root, value, onChange, depth = 0 }: ObjectFieldsProps) {
  const values = typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  const names = new Set(fields.map(({ name }) => name));
  const others = Object.keys(values).filter((name) => !names.has(name));
  return (
    <div className="form-fields">
      {[...fields, ...others.map((name) => ({ name, required: false, description: '', schema: {} }))].map(
        (field) => (
          <NamedField
            key={field.name}
            field={field}
            root={root}
            depth={depth + 1}
            value={Object.hasOwn(values, field.name) ? values[field.name] : undefined}
            onChange={(next) => {
              const { [field.name]: _before, ...others } = values;
              onChange(next === undefined ? others : { ...others, [field.name]: next });
            }}
          />
        ),
      )}
    </div>
  );
}

function NamedField({ field, ...rest }: Omit<ValueProps, 'schema'> & { field: FormField }) {
  const id = useId();
  return (
    <div className="form-field">
      <label htmlFor={id}>
        <code>{field.name}</code>
        {field.required && <small>{t('tools.required')}</small>}
      </label>
      <ValueField {...rest} id={id} aria-label={field.name} schema={field.schema} />
      {field.description && <p className="form-hint">{field.description}</p>}
    </div>
  );
}
