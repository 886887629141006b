import {
  choicesOf,
  isSchema,
  propertiesOf,
  requiredFirst,
  resolve,
  type Schema,
  type SchemaChoice,
  type SchemaProperty,
  typeOf,
} from '../../base/schema/schema';
import { Unread } from '../../base/text/typed-json';

/** What a form makes of a schema. */
export type Shape =
  | { readonly kind: 'string' }
  | {
      readonly kind: 'number';
      readonly integer: boolean;
      readonly min: number | undefined;
      readonly max: number | undefined;
    }
  | { readonly kind: 'boolean' }
  | { readonly kind: 'choice'; readonly options: readonly SchemaChoice[] }
  | { readonly kind: 'list'; readonly item: Schema }
  | { readonly kind: 'object'; readonly fields: readonly SchemaProperty[] }
  /** Anything else is written as JSON. */
  | { readonly kind: 'raw' };

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  isSchema(value) && !(value instanceof Unread);

export function shapeOf(schema: Schema, root: Schema): Shape {
  const options = choicesOf(schema);
  if (options) return { kind: 'choice', options };
  switch (typeOf(schema)) {
    case 'string':
      return { kind: 'string' };
    case 'number':
    case 'integer':
      return {
        kind: 'number',
        integer: typeOf(schema) === 'integer',
        min: typeof schema.minimum === 'number' ? schema.minimum : undefined,
        max: typeof schema.maximum === 'number' ? schema.maximum : undefined,
      };
    case 'boolean':
      return { kind: 'boolean' };
    case 'array':
      return isSchema(schema.items) ? { kind: 'list', item: resolve(schema.items, root) } : { kind: 'raw' };
    default: {
      const fields = fieldsOf(schema, root);
      return fields.length > 0 ? { kind: 'object', fields } : { kind: 'raw' };
    }
  }
}

/** Whether the control of this shape can show the value: what a form does not show it must not send. */
export function shows(shape: Shape, value: unknown): boolean {
  if (value === undefined) return true;
  switch (shape.kind) {
    case 'string':
      return typeof value === 'string';
    case 'number':
      return typeof value === 'number' || value instanceof Unread;
    case 'boolean':
      return typeof value === 'boolean';
    case 'choice':
      return shape.options.some((option) => option.value === value);
    case 'list':
      return Array.isArray(value);
    case 'object':
      return isObject(value);
    case 'raw':
      return true;
  }
}

export const fieldsOf = (schema: Schema, root: Schema): SchemaProperty[] =>
  requiredFirst(propertiesOf(schema, root));

/** `string`, `integer`, `list of object`, `string or number`. */
export function typeText(schema: Schema, root: Schema, depth = 0): string {
  if (choicesOf(schema)) return 'choice';
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(alternatives) && depth < 3) {
    return [...new Set(alternatives.map((one) => typeText(resolve(one, root), root, depth + 1)))].join(
      ' or ',
    );
  }
  if (Array.isArray(schema.type)) return schema.type.join(' or ');
  if (schema.type === 'array') {
    return isSchema(schema.items) && depth < 3
      ? `list of ${typeText(resolve(schema.items, root), root, depth + 1)}`
      : 'list';
  }
  if (typeof schema.type === 'string') return schema.type;
  return isSchema(schema.properties) ? 'object' : 'any';
}

/** A first value of a shape, for a new item of a list. */
export function emptyValue(shape: Shape): unknown {
  switch (shape.kind) {
    case 'string':
      return '';
    case 'number':
      return shape.min ?? 0;
    case 'boolean':
      return false;
    case 'choice':
      return shape.options[0]?.value;
    case 'list':
      return [];
    case 'object':
    case 'raw':
      return {};
  }
}

/** The paths of required fields that have no value, as `entities[0].name`. */
export function missing(value: unknown, schema: Schema, root: Schema, path = '', depth = 0): string[] {
  if (depth > 8) return [];
  const shape = shapeOf(schema, root);
  if (shape.kind === 'list' && Array.isArray(value)) {
    return value.flatMap((item, at) => missing(item, shape.item, root, `${path}[${at}]`, depth + 1));
  }
  if (shape.kind !== 'object' || !isObject(value)) return [];
  return shape.fields.flatMap((field) => {
    const own = path === '' ? field.name : `${path}.${field.name}`;
    const item = Object.hasOwn(value, field.name) ? value[field.name] : undefined;
    if (item === undefined) return field.required ? [own] : [];
    return missing(item, field.schema, root, own, depth + 1);
  });
}

/** Required fields that nobody has filled in get what the server says they are by default. */
export function withDefaults(value: unknown, schema: Schema, root: Schema, depth = 0): unknown {
  if (depth > 8) return value;
  const shape = shapeOf(schema, root);
  if (shape.kind === 'list' && Array.isArray(value)) {
    return value.map((item) => withDefaults(item, shape.item, root, depth + 1));
  }
  if (shape.kind !== 'object' || !isObject(value)) return value;
  const entries = shape.fields.flatMap(({ name, required, schema: own }): [string, unknown][] => {
    const current = Object.hasOwn(value, name) ? value[name] : undefined;
    if (current !== undefined) return [[name, withDefaults(current, own, root, depth + 1)]];
    return required && 'default' in own ? [[name, structuredClone(own.default)]] : [];
  });
  return { ...value, ...Object.fromEntries(entries) };
}
