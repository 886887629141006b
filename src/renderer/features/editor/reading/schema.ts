import { t } from '../../../base/text/text';

/** As much of JSON Schema as an editor shows; the core validates the whole of it before a call. */
export type Schema = Readonly<Record<string, unknown>>;

export interface ArgumentRow {
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  readonly description: string;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export function propertiesOf(schema: Schema): Record<string, Schema> {
  return isRecord(schema.properties)
    ? Object.fromEntries(
        Object.entries(schema.properties).filter(([, value]) => isRecord(value)) as [string, Schema][],
      )
    : {};
}

function requiredOf(schema: Schema): string[] {
  return Array.isArray(schema.required) ? schema.required.filter((name) => typeof name === 'string') : [];
}

export function typeOf(schema: Schema): string {
  if (Array.isArray(schema.enum)) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  if ('const' in schema) return JSON.stringify(schema.const);
  if (schema.type === 'array') return isRecord(schema.items) ? `${typeOf(schema.items)}[]` : 'list';
  if (Array.isArray(schema.type)) return schema.type.join(' | ');
  return typeof schema.type === 'string' ? schema.type : 'any';
}

export function argumentRows(schema: Schema): ArgumentRow[] {
  const required = new Set(requiredOf(schema));
  const rows = Object.entries(propertiesOf(schema)).map(([name, property]) => ({
    name,
    type: typeOf(property),
    required: required.has(name),
    description: typeof property.description === 'string' ? property.description : '',
  }));
  return rows.sort((a, b) => Number(b.required) - Number(a.required));
}

export interface SchemaProblem {
  /** The top-level argument it belongs to; null: the whole call. */
  readonly argument: string | null;
  readonly message: string;
}

/** Types, enums, missing and unknown names; what it doesn't understand it lets pass. */
export function checkArguments(schema: Schema, args: Readonly<Record<string, unknown>>): SchemaProblem[] {
  const properties = propertiesOf(schema);
  const problems: SchemaProblem[] = requiredOf(schema)
    .filter((name) => !(name in args))
    .map((name) => ({ argument: null, message: t('check.missing', { name }) }));
  for (const [name, value] of Object.entries(args)) {
    const property = properties[name];
    if (property) {
      const message = checkValue(property, value, name, 0);
      if (message) problems.push({ argument: name, message });
    } else if (schema.additionalProperties === false) {
      problems.push({ argument: name, message: t('check.unknown', { name }) });
    }
  }
  return problems;
}

function checkValue(schema: Schema, value: unknown, place: string, depth: number): string | null {
  if (depth > 8) return null;
  if (
    Array.isArray(schema.enum) &&
    !schema.enum.some((one) => JSON.stringify(one) === JSON.stringify(value))
  ) {
    return t('check.oneOf', { name: place, values: typeOf(schema) });
  }
  const types = [schema.type].flat().filter((type) => typeof type === 'string');
  if (types.length > 0 && !types.some((type) => isType(type, value))) {
    return t('check.type', { name: place, types: types.join(t('check.or')) });
  }
  if (Array.isArray(value) && isRecord(schema.items)) {
    for (const [at, item] of value.entries()) {
      const message = checkValue(schema.items, item, `${place}[${at}]`, depth + 1);
      if (message) return message;
    }
  }
  if (isRecord(value)) {
    const missing = requiredOf(schema).find((name) => !(name in value));
    if (missing) return t('check.missing', { name: `${place}.${missing}` });
    for (const [name, property] of Object.entries(propertiesOf(schema))) {
      const message = name in value ? checkValue(property, value[name], `${place}.${name}`, depth + 1) : null;
      if (message) return message;
    }
  }
  return null;
}

function isType(type: string, value: unknown): boolean {
  switch (type) {
    case 'null':
      return value === null;
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isRecord(value);
    case 'integer':
      return Number.isInteger(value);
    case 'string':
    case 'number':
    case 'boolean':
      return typeof value === type;
    default:
      return true;
  }
}
