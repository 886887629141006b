import { ToolFailure } from '../failures';
import { type Entity, parseId, printId } from './model';
import { type Lookup, notFound } from './references';

/** The entity that a caller means: in any case, `T-1` for `T-001`. */
export function entityNamed(
  written: string,
  lookup: Lookup & { sharing?(id: string): readonly Entity[] },
  field = 'id',
): Entity {
  const parts = parseId(written);
  const found =
    lookup.get(written.trim().toUpperCase()) ?? (parts && lookup.get(printId(parts.type, parts.number)));
  if (!found) throw notFound(written, lookup, field);
  const all = lookup.sharing?.(found.id) ?? [];
  if (all.length > 1) throw severalNamed(found.id, all, field);
  return found;
}

/** Nobody can tell which of them is meant. */
export function severalNamed(id: string, all: readonly Entity[], field = 'id'): ToolFailure {
  const paths = all.map(({ path }) => path);
  const read = JSON.stringify({ paths: paths.slice(0, 10) });
  return new ToolFailure(
    'conflict',
    `${all.length} notes have the id ${id}: ${paths
      .slice(0, 10)
      .map((path) => `“${path}”`)
      .join(', ')}.`,
    { field, hint: `read_docs ${read} reads them. check_project tells the key that gives one another id.` },
  );
}
