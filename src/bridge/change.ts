/**
 * How one JSON value becomes another, with little but what differs: a state of which one entry is new does not cross whole
 * again. Both sides hold the value before, and what did not change stays the same object at the reader.
 */
export type Change =
  | { readonly to: unknown }
  /** Of an object: keys that differ, and those that are gone. */
  | { readonly keys: readonly (readonly [string, Change])[]; readonly gone?: readonly string[] }
  /** Of a list: from there on so many are gone, and these stand in their place. */
  | { readonly at: number; readonly gone: number; readonly put: readonly unknown[] }
  /** Of a list as long as before: entries that differ. */
  | { readonly entries: readonly (readonly [number, Change])[] };

/** Null: they are equal. */
export function changeBetween(before: unknown, after: unknown): Change | null {
  if (Object.is(before, after)) return null;
  if (Array.isArray(before) && Array.isArray(after)) return betweenLists(before, after);
  if (isObject(before) && isObject(after)) return betweenObjects(before, after);
  // Of undefined a wire leaves nothing.
  return { to: after === undefined ? null : after };
}

/** What `before` becomes; parts that did not change are its own. */
export function changed(before: unknown, change: Change): unknown {
  if ('to' in change) return change.to;
  if ('put' in change) return (before as unknown[]).toSpliced(change.at, change.gone, ...change.put);
  if ('entries' in change) {
    const list = [...(before as unknown[])];
    for (const [at, one] of change.entries) list[at] = changed(list[at], one);
    return list;
  }
  const { keys, gone: missing = [] } = change;
  const after = new Map(Object.entries(before as object).filter(([key]) => !missing.includes(key)));
  for (const [key, one] of keys) after.set(key, changed(after.get(key), one));
  // Also for a key that would name the prototype.
  return Object.fromEntries(after);
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function betweenObjects(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): Change | null {
  const was = present(before);
  const is = present(after);
  const keys = [...is].flatMap(([key, value]) => {
    const change: Change | null = was.has(key) ? changeBetween(was.get(key), value) : { to: value };
    return change ? [[key, change] as const] : [];
  });
  const missing = [...was.keys()].filter((key) => !is.has(key));
  if (keys.length === 0 && missing.length === 0) return null;
  // Another thing altogether is said as such.
  if (keys.length === is.size && keys.every(([, change]) => 'to' in change)) return { to: after };
  return { keys, ...(missing.length > 0 && { gone: missing }) };
}

/** A wire may leave out what is undefined. */
const present = (value: Readonly<Record<string, unknown>>) =>
  new Map(Object.entries(value).filter(([, one]) => one !== undefined));

function betweenLists(before: readonly unknown[], after: readonly unknown[]): Change | null {
  if (before.length === after.length) {
    const entries = after.flatMap((value, at) => {
      const change = changeBetween(before[at], value);
      return change ? [[at, change] as const] : [];
    });
    return entries.length === 0 ? null : { entries };
  }
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && changeBetween(before[start], after[start]) === null) start++;
  let end = 0;
  while (end < shorter - start && changeBetween(before.at(-1 - end), after.at(-1 - end)) === null) end++;
  return { at: start, gone: before.length - start - end, put: after.slice(start, after.length - end) };
}
