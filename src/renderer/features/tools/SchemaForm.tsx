import { Plus, X } from 'lucide-react';
import { useId } from 'react';
import { t } from '../../app/text';
import { Button, IconButton, Input, Segments, Select, TextArea } from '../../ui';
import { RawField } from './RawField';
import { emptyValue, type Json, type SchemaField, shapeOf } from './schema';

export interface ValueProps {
  schema: Json;
  root: Json;
  value: unknown;
  /** Undefined takes the value away. */
  onChange(value: unknown): void;
  depth?: number;
  id?: string;
  'aria-label'?: string;
}

/** Deeper than this a form helps nobody. */
const deepest = 4;

/** One control, or several, for whatever a schema describes. */
export function ValueField(props: ValueProps) {
  const { schema, root, value, onChange, depth = 0, ...ties } = props;
  const shape = depth > deepest ? ({ kind: 'raw' } as const) : shapeOf(schema, root);
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
        <Input
          {...ties}
          type="number"
          className="form-number"
          step={shape.integer ? 1 : 'any'}
          min={shape.min}
          max={shape.max}
          placeholder={placeholder}
          value={typeof value === 'number' ? value : ''}
          onChange={({ target }) => onChange(target.value === '' ? undefined : target.valueAsNumber)}
        />
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
      const chosen = shape.values.indexOf(value);
      return (
        <Select
          {...ties}
          value={chosen < 0 ? 'unset' : String(chosen)}
          options={[
            { value: 'unset', label: t('form.unset') },
            ...shape.values.map((one, at) => ({
              value: String(at),
              label: typeof one === 'string' ? one : JSON.stringify(one),
            })),
          ]}
          onChange={(choice) => onChange(choice === 'unset' ? undefined : shape.values[Number(choice)])}
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

function ListField({ item, root, value, onChange, depth = 0, ...ties }: ValueProps & { item: Json }) {
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
              onChange={(next) => onChange(items.with(at, next ?? ''))}
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
  fields: readonly SchemaField[];
}

export function ObjectFields({ fields, root, value, onChange, depth = 0 }: ObjectFieldsProps) {
  const values = typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  return (
    <div className="form-fields">
      {fields.map((field) => (
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
      ))}
    </div>
  );
}

function NamedField({ field, ...rest }: Omit<ValueProps, 'schema'> & { field: SchemaField }) {
  const id = useId();
  const description = typeof field.schema.description === 'string' ? field.schema.description : '';
  return (
    <div className="form-field">
      <label htmlFor={id}>
        <code>{field.name}</code>
        {field.required && <small>{t('tools.required')}</small>}
      </label>
      <ValueField {...rest} id={id} aria-label={field.name} schema={field.schema} />
      {description && <p className="form-hint">{description}</p>}
    </div>
  );
}
