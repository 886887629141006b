import { stringify } from 'yaml';
import { isMapping, printToolName } from './body';
import { printName } from './words';

/**
 * A filled block from a tool's schema: required arguments first with placeholders that have the right type, optional
 * ones as comments. It is valid as it stands.
 */
export function toolBlockTemplate(
  server: string,
  tool: string,
  inputSchema: Readonly<Record<string, unknown>>,
): string {
  const properties = isMapping(inputSchema.properties) ? Object.entries(inputSchema.properties) : [];
  const required = new Set(Array.isArray(inputSchema.required) ? inputSchema.required : []);
  const line = ([name, schema]: [string, unknown]): string => {
    const yaml = stringify({ [name]: placeholder(schema, 0) }, { lineWidth: 0 }).trimEnd();
    const choices = isMapping(schema) && Array.isArray(schema.enum) ? schema.enum : [];
    const hint =
      choices.length > 1
        ? ` # ${choices
            .map((choice) => JSON.stringify(choice))
            .join(' | ')
            .slice(0, 120)}`
        : '';
    return yaml + (yaml.includes('\n') ? '' : hint);
  };
  const body = [
    `tool: ${printToolName(tool)}`,
    ...properties.filter(([name]) => required.has(name)).map(line),
    ...properties.filter(([name]) => !required.has(name)).map((each) => line(each).replace(/^|\n/g, '$&# ')),
  ].join('\n');
  const longest = (body.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 2);
  const mark = '`'.repeat(longest + 1);
  return `${mark}${printName(server)}\n${body}\n${mark}`;
}

/** Default, example or first choice of a schema, else an empty value of its type. */
function placeholder(schema: unknown, depth: number): unknown {
  if (!isMapping(schema)) return '';
  for (const value of [
    schema.default,
    schema.const,
    first(schema.examples),
    schema.example,
    first(schema.enum),
  ]) {
    if (value !== undefined) return value;
  }
  const type = Array.isArray(schema.type) ? schema.type.find((each) => each !== 'null') : schema.type;
  switch (type) {
    case 'number':
    case 'integer':
      return typeof schema.minimum === 'number' ? schema.minimum : 0;
    case 'boolean':
      return false;
    case 'array':
      return [];
    case 'object':
      return nested(schema, depth);
    case 'null':
      return null;
    case undefined: {
      const choice = first(schema.anyOf) ?? first(schema.oneOf);
      if (choice !== undefined && depth < 4) return placeholder(choice, depth + 1);
      return isMapping(schema.properties) ? nested(schema, depth) : '';
    }
    default:
      return '';
  }
}

function nested(schema: Record<string, unknown>, depth: number): Record<string, unknown> {
  const { properties, required } = schema;
  if (!isMapping(properties) || !Array.isArray(required) || depth >= 4) return {};
  return Object.fromEntries(
    required.flatMap((name: unknown) =>
      typeof name === 'string' && Object.hasOwn(properties, name)
        ? [[name, placeholder(properties[name], depth + 1)]]
        : [],
    ),
  );
}

function first(list: unknown): unknown {
  return Array.isArray(list) ? (list[0] as unknown) : undefined;
}
