import { printToolTemplate } from '../../../markdown';
import { choicesOf, isSchema, propertiesOf, resolve, type Schema, typeOf } from './schema';

const deepest = 4;

/** A block that calls the tool, filled from its schema; every value has the type that is asked for. */
export function toolBlockTemplate(server: string, tool: string, inputSchema: Schema): string {
  const args = propertiesOf(inputSchema, inputSchema).map(({ name, required, schema }) => ({
    name,
    required,
    value: placeholder(schema, inputSchema, 0),
    choices: choicesOf(schema)?.map(({ value }) => value) ?? [],
  }));
  return printToolTemplate(server, tool, args);
}

/** Default, example or first choice of a schema, else an empty value of its type. */
function placeholder(schema: Schema, root: Schema, depth: number): unknown {
  for (const value of [schema.default, first(schema.examples), schema.example, choicesOf(schema)?.[0]?.value])
    if (value !== undefined) return value;
  switch (typeOf(schema)) {
    case 'number':
    case 'integer':
      return typeof schema.minimum === 'number' ? schema.minimum : 0;
    case 'boolean':
      return false;
    case 'array':
      return [];
    case 'object':
      return nested(schema, root, depth);
    case 'null':
      return null;
    case undefined: {
      const alternative = first(schema.anyOf) ?? first(schema.oneOf);
      if (isSchema(alternative) && depth < deepest)
        return placeholder(resolve(alternative, root), root, depth + 1);
      return isSchema(schema.properties) ? nested(schema, root, depth) : '';
    }
    default:
      return '';
  }
}

function nested(schema: Schema, root: Schema, depth: number): Record<string, unknown> {
  if (depth >= deepest) return {};
  return Object.fromEntries(
    propertiesOf(schema, root)
      .filter(({ required }) => required)
      .map((property) => [property.name, placeholder(property.schema, root, depth + 1)]),
  );
}

const first = (list: unknown): unknown => (Array.isArray(list) ? (list[0] as unknown) : undefined);
