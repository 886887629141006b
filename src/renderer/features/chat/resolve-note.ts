/** The note that a link in `from` means: a path in the vault, one beside the note, or a name anywhere; else one to be made. */
export function resolveNote(paths: Iterable<string>, target: string, from: string): string {
  const wanted = decode(target.split('#')[0] ?? '').replace(/^\.?\//, '');
  if (wanted === '') return from;
  const file = /\.[a-z0-9]{1,8}$/i.test(wanted) ? wanted : `${wanted}.md`;
  const beside = from.includes('/') ? `${from.slice(0, from.lastIndexOf('/'))}/${file}` : file;
  const lower = file.toLowerCase();
  const all = new Set(paths);
  if (all.has(file)) return file;
  if (all.has(beside)) return beside;
  for (const path of all) {
    const other = path.toLowerCase();
    if (other === lower || other.endsWith(`/${lower}`)) return path;
  }
  return file;
}

/** Whether links in `from` lead to something that is there. Asked often, so the paths are gone through once. */
export function leadsIn(paths: Iterable<string>, from: string): (target: string) => boolean {
  const all = new Set(paths);
  const named = new Map<string, string[]>();
  for (const path of all) {
    const name = nameOf(path);
    named.set(name, [...(named.get(name) ?? []), path]);
  }
  return (target) => {
    const wanted = resolveNote([], target, from);
    // A link to a place in its own note.
    if (wanted === from) return true;
    return all.has(resolveNote(named.get(nameOf(wanted)) ?? [], target, from));
  };
}

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1).toLowerCase();

function decode(target: string): string {
  try {
    return decodeURIComponent(target);
  } catch {
    return target;
  }
}
