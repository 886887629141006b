import { isObject, type JsonObject } from './format';
import type { NeutralTool } from './provider';

/** What every provider insists on: an object at the root that names its properties, if only none. */
export function toolSchema(tool: NeutralTool, options: { inlineDefinitions: boolean }): JsonObject {
  const { $schema: _dialect, ...rest } = tool.inputSchema;
  const whole = options.inlineDefinitions ? inlineDefinitions(rest) : rest;
  return { ...whole, type: 'object', properties: isObject(whole.properties) ? whole.properties : {} };
}

/** Puts what `$ref` points to in its place. A definition that contains itself ends in a schema that takes anything. */
export function inlineDefinitions(schema: JsonObject): JsonObject {
  const definitions = new Map<string, unknown>();
  for (const key of ['$defs', 'definitions'] as const) {
    const group = schema[key];
    if (!isObject(group)) continue;
    for (const [name, value] of Object.entries(group)) definitions.set(`#/${key}/${name}`, value);
  }
  if (definitions.size === 0) return schema;

  function walk(value: unknown, open: readonly string[]): unknown {
    if (Array.isArray(value)) return value.map((item) => walk(item, open));
    if (!isObject(value)) return value;
    const reference = value.$ref;
    if (typeof reference === 'string' && definitions.has(reference)) {
      const { $ref: _reference, ...beside } = value;
      if (open.includes(reference)) return beside;
      const inlined = walk(definitions.get(reference), [...open, reference]);
      return isObject(inlined) ? { ...inlined, ...beside } : beside;
    }
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, walk(item, open)]));
  }

  const { $defs: _defs, definitions: _definitions, ...rest } = schema;
  return walk(rest, []) as JsonObject;
}
