/** From, to; in a text whose line ends are all `\n`. */
export type Span = readonly [from: number, to: number];

/** What one connection was handed. In memory; what was asked for longest ago is forgotten first. */
export interface Seen {
  /** Of an entity: in an answer, or by the caller itself, who wrote it. */
  handed(id: string, revision: string, fields: Iterable<string>): void;
  /** The fields of an entity, and the revision at which each was handed out last. */
  of(id: string): ReadonlyMap<string, string>;
  /** Of the text of a note. */
  read(path: string, hash: string, spans: readonly Span[]): void;
  /** What was handed out last of the text of a note, and of which text: its hash. */
  textOf(path: string): { readonly hash: string; readonly spans: readonly Span[] } | null;
}

const mostEntities = 5_000;
const mostNotes = 5_000;
const nothing: ReadonlyMap<string, string> = new Map();

export function createSeen(): Seen {
  const revisions = new Map<string, Map<string, string>>();
  const notes = new Map<string, { hash: string; spans: readonly Span[] }>();
  return {
    handed: (id, revision, fields) => {
      const own = revisions.get(id) ?? new Map<string, string>();
      renew(revisions, id, own, mostEntities);
      for (const field of fields) own.set(field, revision);
    },
    of: (id) => revisions.get(id) ?? nothing,
    read: (path, hash, spans) => {
      const before = notes.get(path);
      renew(
        notes,
        path,
        { hash, spans: joined([...(before?.hash === hash ? before.spans : []), ...spans]) },
        mostNotes,
      );
    },
    textOf: (path) => notes.get(path) ?? null,
  };
}

/** As the last of the map, which then loses its first where it is too large. */
function renew<T>(map: Map<string, T>, key: string, value: T, most: number): void {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > most && oldest !== undefined) map.delete(oldest);
}

function joined(spans: readonly Span[]): readonly Span[] {
  const sorted: Span[] = [];
  for (const [from, to] of spans.toSorted(([a], [b]) => a - b)) {
    const last = sorted.at(-1);
    if (last && from <= last[1]) sorted[sorted.length - 1] = [last[0], Math.max(last[1], to)];
    else sorted.push([from, to]);
  }
  return sorted;
}
