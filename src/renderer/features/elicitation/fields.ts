import type { Json } from '../../../contract/json';
import { choicesOf, propertiesOf, resolve, type Schema, typeOf } from '../../base/schema/schema';
import { readNumber, Unread } from '../../base/text/typed-json';

/** One field of a form that a server asks for: flat, of plain kinds. */
export interface AskField {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly required: boolean;
  readonly kind: 'text' | 'number' | 'boolean' | 'choice' | 'choices';
  readonly whole: boolean;
  readonly options: readonly { value: string; label: string }[];
  readonly start: string | number | boolean | string[] | undefined;
}

export function fieldsOf(form: Schema): AskField[] {
  return propertiesOf(form, form).map(({ name, title, description, required, schema }) => {
    const type = typeOf(schema);
    const options = textChoicesOf(type === 'array' ? resolve(schema.items, form) : schema);
    return {
      name,
      title: title || name,
      description,
      required,
      kind: kindOf(type, options.length > 0),
      whole: type === 'integer',
      options,
      start: startOf(schema.default),
    };
  });
}

function kindOf(type: unknown, hasOptions: boolean): AskField['kind'] {
  if (type === 'array') return 'choices';
  if (hasOptions) return 'choice';
  if (type === 'boolean') return 'boolean';
  return type === 'number' || type === 'integer' ? 'number' : 'text';
}

const textChoicesOf = (schema: Schema): { value: string; label: string }[] =>
  (choicesOf(schema) ?? []).flatMap(({ value, label }) =>
    typeof value === 'string' ? [{ value, label }] : [],
  );

function startOf(value: unknown): AskField['start'] {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : undefined;
}

export function startValues(
  fields: readonly AskField[],
): Record<string, string | number | boolean | string[]> {
  return Object.fromEntries(
    fields.flatMap(({ name, kind, start, required }) => {
      const value = start ?? (kind === 'boolean' && required ? false : undefined);
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/** What would be sent: a number stands in its box as it is typed. Null: one of them cannot be read, or lacks. */
export function contentOf(
  fields: readonly AskField[],
  values: Readonly<Record<string, Json>>,
): Record<string, Json> | null {
  const content = { ...values };
  for (const field of fields) {
    const { name, kind, required } = field;
    const value = values[name];
    if (kind === 'number' && typeof value === 'string') {
      const number = readNumber(value);
      if (isBadNumber(field, value)) return null;
      if (number === undefined) delete content[name];
      else content[name] = number as number;
    }
    if (required && content[name] === undefined) return null;
  }
  return content;
}

export function isBadNumber({ whole }: AskField, text: string): boolean {
  const number = readNumber(text);
  return number instanceof Unread || (whole && number !== undefined && !Number.isInteger(number));
}

/** A server must not ask for such things in a form. */
export const seemsSecret = ({ name, title, description }: AskField): boolean =>
  /passw|secret|api.?key|token|credential|credit.?card|密码|密钥/i.test(`${name} ${title} ${description}`);
