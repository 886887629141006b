import type { Json } from '../../../contract/json';
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

type Schema = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const text = (value: unknown): string => (typeof value === 'string' ? value : '');

export function fieldsOf(schema: Schema): AskField[] {
  const { properties, required } = schema;
  if (!isObject(properties)) return [];
  const needed = new Set(Array.isArray(required) ? required : []);
  return Object.entries(properties).flatMap(([name, field]) => {
    if (!isObject(field)) return [];
    const options = optionsOf(field.type === 'array' && isObject(field.items) ? field.items : field);
    return [
      {
        name,
        title: text(field.title) || name,
        description: text(field.description),
        required: needed.has(name),
        kind: kindOf(field, options.length > 0),
        whole: field.type === 'integer',
        options,
        start: startOf(field.default),
      },
    ];
  });
}

function kindOf(field: Schema, hasOptions: boolean): AskField['kind'] {
  if (field.type === 'array') return 'choices';
  if (hasOptions) return 'choice';
  if (field.type === 'boolean') return 'boolean';
  return field.type === 'number' || field.type === 'integer' ? 'number' : 'text';
}

function optionsOf(field: Schema): { value: string; label: string }[] {
  const named = field.oneOf ?? field.anyOf;
  if (Array.isArray(named))
    return named.flatMap((one) =>
      isObject(one) && typeof one.const === 'string'
        ? [{ value: one.const, label: text(one.title) || one.const }]
        : [],
    );
  const labels = Array.isArray(field.enumNames) ? field.enumNames : [];
  return Array.isArray(field.enum)
    ? field.enum.flatMap((value, at) =>
        typeof value === 'string' ? [{ value, label: text(labels[at]) || value }] : [],
      )
    : [];
}

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
