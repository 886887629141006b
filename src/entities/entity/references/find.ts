import { ToolFailure } from '../../base/failures';
import { type Entity, parseId, printId } from '../model/model';
import { type Lookup, notFound } from './references';

const mostPaths = 10;

/** The entity that a caller means: in any case, `T-1` for `T-001`. */
export function entityNamed(
  written: string,
  lookup: Lookup & { sharing?(id: string): readonly Entity[] },
  field = 'id',
): Entity {
  const parts = parseId(written);
  const entity =
    lookup.get(written.trim().toUpperCase()) ?? (parts && lookup.get(printId(parts.type, parts.number)));
  if (!entity) throw notFound(written, lookup, field);
  const all = lookup.sharing?.(entity.id) ?? [];
  if (all.length > 1) {
    const pathHint = JSON.stringify({ paths: all.slice(0, mostPaths).map(({ path }) => path) });
    const hint = `read_docs ${pathHint} reads them. check_project tells the key that gives one another id.`;
    throw severalNamed(entity.id, all, { field, hint });
  }
  return entity;
}

/** Nobody can tell which of them is meant. */
export function severalNamed(
  id: string,
  all: readonly Entity[],
  more: { field?: string; hint: string },
): ToolFailure {
  const paths = all.slice(0, mostPaths).map(({ path }) => `“${path}”`);
  return new ToolFailure('conflict', `${all.length} notes have the id ${id}: ${paths.join(', ')}.`, more);
}
