import { Settings } from '../../contract/settings';
import { isGroup } from './group';

/** A wrong value costs itself, an entry of a list that entry: never the others beside it. */
export function withoutBroken(
  stored: unknown,
  error: { issues: { path: PropertyKey[] }[] },
): { settings: Settings; lost: string[] } {
  if (!isGroup(stored)) return { settings: Settings.parse({}), lost: [] };
  const broken = new Map<string, Set<string>>();
  for (const { path } of error.issues) {
    const [group, entry] = path.map(String);
    if (group === undefined) continue;
    broken.set(group, (broken.get(group) ?? new Set()).add(entry ?? ''));
  }
  const rest = Object.fromEntries(
    Object.entries(stored).flatMap(([group, value]) => {
      const entries = broken.get(group);
      if (!entries) return [[group, value]];
      if (Array.isArray(value)) return [[group, value.filter((_, at) => !entries.has(String(at)))]];
      if (!isGroup(value) || entries.has('')) return [];
      return [[group, Object.fromEntries(Object.entries(value).filter(([key]) => !entries.has(key)))]];
    }),
  );
  const lost = [...broken].flatMap(([group, entries]) =>
    [...entries].map((entry) => nameOf(group, entry, stored[group])),
  );
  const repaired = Settings.safeParse(rest);
  if (repaired.success) return { settings: repaired.data, lost };
  const whole = Object.entries(stored).filter(([group]) => !broken.has(group));
  return { settings: Settings.parse(Object.fromEntries(whole)), lost: [...broken.keys()] };
}

/** As a person knows it: a provider by its tag, anything else by its place. */
function nameOf(group: string, entry: string, value: unknown): string {
  const item: unknown = Array.isArray(value) ? value[Number(entry)] : null;
  const name = isGroup(item) ? (item.tag ?? item.id) : null;
  if (typeof name === 'string') return `${group}: ${name}`;
  return entry === '' ? group : `${group}.${entry}`;
}
