/** What one connection was handed of entities. In memory; who was asked for longest ago is forgotten first. */
export interface Seen {
  /** In an answer, or by the caller itself, who wrote them. */
  handed(id: string, revision: string, fields: Iterable<string>): void;
  /** The fields of an entity, and the revision at which each was handed out last. */
  of(id: string): ReadonlyMap<string, string>;
}

const mostEntities = 5_000;
const nothing: ReadonlyMap<string, string> = new Map();

export function createSeen(): Seen {
  const known = new Map<string, Map<string, string>>();
  return {
    handed: (id, revision, fields) => {
      const own = known.get(id) ?? new Map<string, string>();
      known.delete(id);
      known.set(id, own);
      for (const field of fields) own.set(field, revision);
      const [oldest] = known.keys();
      if (known.size > mostEntities && oldest !== undefined) known.delete(oldest);
    },
    of: (id) => known.get(id) ?? nothing,
  };
}
