import { measured } from '../values/value-size';

const limits = { depth: 64, nodes: 20_000, characters: 500_000 };

interface SchemaExcess {
  readonly what: 'levels' | 'parts' | 'characters';
  readonly most: number;
}

/** Of what a schema has more than is worth reading; null: of nothing. */
export function schemaExcess(schema: unknown): SchemaExcess | null {
  const size = measured(schema, { depth: limits.depth, parts: limits.nodes });
  if (size === 'deep') return { what: 'levels', most: limits.depth };
  if (size === 'large') return { what: 'parts', most: limits.nodes };
  if (size.characters > limits.characters) return { what: 'characters', most: limits.characters };
  return null;
}

/** The same in words. */
export function schemaTooBig(schema: unknown): string | null {
  const excess = schemaExcess(schema);
  if (excess === null) return null;
  const { what, most } = excess;
  return what === 'levels'
    ? `The schema is nested more than ${most} levels deep.`
    : `The schema has more than ${most} ${what}.`;
}
