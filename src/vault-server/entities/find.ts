import { type Entity, parseId, printId } from './model';
import { type Lookup, notFound } from './references';

/** The entity that a caller means: in any case, `T-1` for `T-001`. */
export function entityNamed(written: string, lookup: Lookup, field = 'id'): Entity {
  const parts = parseId(written);
  const found =
    lookup.get(written.trim().toUpperCase()) ?? (parts && lookup.get(printId(parts.type, parts.number)));
  if (!found) throw notFound(written, lookup, field);
  return found;
}
