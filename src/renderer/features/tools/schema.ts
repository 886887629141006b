import { Unread } from '../../base/text/typed-json';

/** JSON Schema as tools use it, reduced to what a form and a table can show. */
export type Json = Readonly<Record<string, unknown>>;

export type Shape =
  | { readonly kind: 'string' }
  | {
      readonly kind: 'number';
      readonly integer: boolean;
      readonly min: number | undefined;
      readonly max: number | undefined;
    }
  | { readonly kind: 'boolean' }
  | { readonly kind: 'choice'; readonly options: readonly ChoiceOption[] }
  | { readonly kind: 'list'; readonly item: Json }
  | { readonly kind: 'object'; readonly fields: readonly SchemaField[] }
  /** Anything else is written as JSON. */
  | { readonly kind: 'raw' };

export interface ChoiceOption {
  readonly value: unknown;
  readonly label: string;
}

export interface SchemaField {
  readonly name: string;
  readonly required: boolean;
  readonly schema: Json;
}

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Unread);

/** Follows local references and takes the one real alternative of `X | null`. */
export function resolve(schema: unknown, root: Json, depth = 0): Json {
  if (!isObject(schema) || depth > 16) return {};
  if (typeof schema.$ref === 'string') {
    const { $ref, ...beside } = schema;
    return { ...resolve(pointed(root, $ref as string), root, depth + 1), ...beside };
  }
  const alternatives = (schema.anyOf ?? schema.oneOf) as unknown;
  if (Array.isArray(alternatives)) {
    const real = alternatives.filter((one) => !(isObject(one) && one.type === 'null'));
    const { anyOf: _anyOf, oneOf: _oneOf, ...beside } = schema;
    if (real.length === 1) return { ...resolve(real[0], root, depth + 1), ...beside };
  }
  return schema;
}

function pointed(root: Json, reference: string): unknown {
  if (!reference.startsWith('#')) return undefined;
  const steps = reference.slice(1).split('/').slice(1);
  return steps.reduce<unknown>((at, step) => {
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~');
    return isObject(at) && Object.hasOwn(at, name) ? at[name] : undefined;
  }, root);
}

function typeOf(schema: Json): unknown {
  if (!Array.isArray(schema.type)) return schema.type;
  const real = schema.type.filter((one) => one !== 'null');
  return real.length === 1 ? real[0] : undefined;
}

export function shapeOf(schema: Json, root: Json): Shape {
  const options = optionsOf(schema);
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
      return isObject(schema.items) ? { kind: 'list', item: resolve(schema.items, root) } : { kind: 'raw' };
    default: {
      const fields = fieldsOf(schema, root);
      return fields.length > 0 ? { kind: 'object', fields } : { kind: 'raw' };
    }
  }
}

function optionsOf(schema: Json): ChoiceOption[] | null {
  if (Array.isArray(schema.enum)) return schema.enum.map((value) => ({ value, label: labelOf(value) }));
  if ('const' in schema) return [optionOf(schema)];
  const named = schema.oneOf ?? schema.anyOf;
  const isChoice = Array.isArray(named) && named.length > 0;
  if (!isChoice || !named.every((one) => isObject(one) && 'const' in one)) return null;
  return (named as Json[]).map(optionOf);
}

const labelOf = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));
const optionOf = (schema: Json): ChoiceOption => ({
  value: schema.const,
  label: typeof schema.title === 'string' ? schema.title : labelOf(schema.const),
});

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

/** Required fields first, otherwise in the server's order. */
export function fieldsOf(schema: Json, root: Json): SchemaField[] {
  if (!isObject(schema.properties)) return [];
  const required = new Set(Array.isArray(schema.required) ? schema.required : []);
  return Object.entries(schema.properties)
    .map(([name, value]) => ({ name, required: required.has(name), schema: resolve(value, root) }))
    .sort((a, b) => Number(b.required) - Number(a.required));
}

/** `string`, `integer`, `list of object`, `string or number`. */
export function typeText(schema: Json, root: Json, depth = 0): string {
  if (optionsOf(schema)) return 'choice';
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(alternatives) && depth < 3) {
    return [...new Set(alternatives.map((one) => typeText(resolve(one, root), root, depth + 1)))].join(
      ' or ',
    );
  }
  if (Array.isArray(schema.type)) return schema.type.join(' or ');
  if (schema.type === 'array') {
    return isObject(schema.items) && depth < 3
      ? `list of ${typeText(resolve(schema.items, root), root, depth + 1)}`
      : 'list';
  }
  if (typeof schema.type === 'string') return schema.type;
  return isObject(schema.properties) ? 'object' : 'any';
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
export function missing(value: unknown, schema: Json, root: Json, path = '', depth = 0): string[] {
  if (depth > 8) return [];
  const shape = shapeOf(schema, root);
  if (shape.kind === 'list' && Array.isArray(value)) {
    return value.flatMap((item, at) => missing(item, shape.item, root, `${path}[${at}]`, depth + 1));
  }
  if (shape.kind !== 'object' || !isObject(value)) return [];
  return shape.fields.flatMap((field) => {
    const own = path === '' ? field.name : `${path}.${field.name}`;
    const given = Object.hasOwn(value, field.name) ? value[field.name] : undefined;
    if (given === undefined) return field.required ? [own] : [];
    return missing(given, field.schema, root, own, depth + 1);
  });
}

/** Required fields that nobody has filled in get what the server says they are by default. */
export function withDefaults(value: unknown, schema: Json, root: Json, depth = 0): unknown {
  if (depth > 8) return value;
  const shape = shapeOf(schema, root);
  if (shape.kind === 'list' && Array.isArray(value)) {
    return value.map((item) => withDefaults(item, shape.item, root, depth + 1));
  }
  if (shape.kind !== 'object' || !isObject(value)) return value;
  const given = shape.fields.flatMap(({ name, required, schema: own }): [string, unknown][] => {
    const known = Object.hasOwn(value, name) ? value[name] : undefined;
    if (known !== undefined) return [[name, withDefaults(known, own, root, depth + 1)]];
    return required && 'default' in own ? [[name, structuredClone(own.default)]] : [];
  });
  return { ...value, ...Object.fromEntries(given) };
}
