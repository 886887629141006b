import {
  choicesOf,
  isSchema,
  propertiesOf,
  requiredFirst,
  requiredOf,
  resolve,
  type Schema,
} from '../../../base/schema/schema';
import { t } from '../../../base/text/text';

export interface ArgumentRow {
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  readonly description: string;
}

/** Deeper inside of lists a type helps nobody. */
const deepestList = 4;

function typeNotation(schema: Schema, root: Schema, depth = 0): string {
  const choices = choicesOf(schema);
  if (choices) return choices.map(({ value }) => JSON.stringify(value)).join(' | ');
  if (schema.type === 'array')
    return isSchema(schema.items) && depth < deepestList
      ? `${typeNotation(resolve(schema.items, root), root, depth + 1)}[]`
      : 'list';
  if (Array.isArray(schema.type)) return schema.type.join(' | ');
  return typeof schema.type === 'string' ? schema.type : 'any';
}

export const argumentRows = (schema: Schema): ArgumentRow[] =>
  requiredFirst(propertiesOf(schema, schema)).map(({ name, required, description, schema: property }) => ({
    name,
    type: typeNotation(property, schema),
    required,
    description,
  }));

/** What may stand as the value of an argument; null: anything. */
export function argumentChoices(schema: Schema, argument: string): unknown[] | null {
  const property = propertiesOf(schema, schema).find(({ name }) => name === argument);
  return (property && choicesOf(property.schema)?.map(({ value }) => value)) ?? null;
}

export interface SchemaProblem {
  /** The top-level argument it belongs to; null: the whole call. */
  readonly argument: string | null;
  readonly message: string;
}

/** Types, enums, missing and unknown names; what it doesn't understand it lets pass. */
export function checkArguments(schema: Schema, args: Readonly<Record<string, unknown>>): SchemaProblem[] {
  const properties = new Map(propertiesOf(schema, schema).map(({ name, declared }) => [name, declared]));
  const problems: SchemaProblem[] = requiredOf(schema)
    .filter((name) => !Object.hasOwn(args, name))
    .map((name) => ({ argument: null, message: t('check.missing', { name }) }));
  for (const [name, value] of Object.entries(args)) {
    const property = properties.get(name);
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
    return t('check.oneOf', { name: place, values: typeNotation(schema, schema) });
  }
  const types = [schema.type].flat().filter((type) => typeof type === 'string');
  if (types.length > 0 && !types.some((type) => isType(type, value))) {
    return t('check.type', { name: place, types: types.join(t('check.or')) });
  }
  if (Array.isArray(value) && isSchema(schema.items)) {
    for (const [at, item] of value.entries()) {
      const message = checkValue(schema.items, item, `${place}[${at}]`, depth + 1);
      if (message) return message;
    }
  }
  if (isSchema(value)) {
    const missing = requiredOf(schema).find((name) => !Object.hasOwn(value, name));
    if (missing) return t('check.missing', { name: `${place}.${missing}` });
    for (const { name, declared } of propertiesOf(schema, schema)) {
      if (!Object.hasOwn(value, name)) continue;
      const message = checkValue(declared, value[name], `${place}.${name}`, depth + 1);
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
      return isSchema(value);
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
