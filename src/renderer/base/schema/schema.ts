/** As much of JSON Schema as a form, a table or a hint shows; whoever gets the values validates the whole of it. */
export type Schema = Readonly<Record<string, unknown>>;

export interface SchemaProperty {
  readonly name: string;
  readonly required: boolean;
  readonly title: string;
  readonly description: string;
  /** With its references followed, and without the alternative of being nothing. */
  readonly schema: Schema;
  /** As it is written; what is no object says nothing. */
  readonly declared: Schema;
}

export interface SchemaChoice {
  readonly value: unknown;
  readonly label: string;
}

/** Longer chains of references, or ones that go in a circle, say nothing. */
const deepest = 16;

export const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Follows local references and takes the one real alternative of `X | null`. */
export function resolve(schema: unknown, root: Schema, depth = 0): Schema {
  if (!isSchema(schema) || depth > deepest) return {};
  if (typeof schema.$ref === 'string') {
    const { $ref, ...beside } = schema;
    return { ...resolve(pointed(root, $ref as string), root, depth + 1), ...beside };
  }
  const alternatives = (schema.anyOf ?? schema.oneOf) as unknown;
  if (Array.isArray(alternatives)) {
    const real = alternatives.filter((one) => !(isSchema(one) && one.type === 'null'));
    const { anyOf: _anyOf, oneOf: _oneOf, ...beside } = schema;
    if (real.length === 1) return { ...resolve(real[0], root, depth + 1), ...beside };
  }
  return schema;
}

function pointed(root: Schema, reference: string): unknown {
  if (!reference.startsWith('#')) return undefined;
  const steps = reference.slice(1).split('/').slice(1);
  return steps.reduce<unknown>((at, step) => {
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~');
    return isSchema(at) && Object.hasOwn(at, name) ? at[name] : undefined;
  }, root);
}

export const requiredOf = ({ required }: Schema): string[] =>
  Array.isArray(required) ? required.filter((name) => typeof name === 'string') : [];

/** In the server's order. */
export function propertiesOf(schema: Schema, root: Schema): SchemaProperty[] {
  if (!isSchema(schema.properties)) return [];
  const required = new Set(requiredOf(schema));
  return Object.entries(schema.properties).map(([name, definition]) => {
    const property = resolve(definition, root);
    return {
      name,
      required: required.has(name),
      title: textOf(property.title),
      description: textOf(property.description),
      schema: property,
      declared: isSchema(definition) ? definition : {},
    };
  });
}

/** Otherwise in the server's order. */
export const requiredFirst = (properties: readonly SchemaProperty[]): SchemaProperty[] =>
  properties.toSorted((a, b) => Number(b.required) - Number(a.required));

/** The one type that it has, being nothing left aside. */
export function typeOf({ type }: Schema): unknown {
  if (!Array.isArray(type)) return type;
  const real = type.filter((one) => one !== 'null');
  return real.length === 1 ? real[0] : undefined;
}

/** The values to choose from, in each of the ways in which servers write them; null: any will do. */
export function choicesOf(schema: Schema): SchemaChoice[] | null {
  if (Array.isArray(schema.enum)) {
    const labels: unknown[] = Array.isArray(schema.enumNames) ? schema.enumNames : [];
    return schema.enum.map((value: unknown, at) => ({ value, label: textOf(labels[at]) || labelOf(value) }));
  }
  if ('const' in schema) return [choiceOf(schema)];
  const variants = schema.oneOf ?? schema.anyOf;
  if (!Array.isArray(variants) || variants.length === 0) return null;
  const constants = variants.filter((one): one is Schema => isSchema(one) && 'const' in one);
  return constants.length === variants.length ? constants.map(choiceOf) : null;
}

const labelOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

const choiceOf = ({ const: value, title }: Schema): SchemaChoice => ({
  value,
  label: textOf(title) || labelOf(value),
});
