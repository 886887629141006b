import type { NoteBefore } from '../../contract/versions';

/** Null: it stays. What is not certainly the tools’, and lines with words of others, go only by their name. */
export function chosenOf(
  { note, path, change, certain }: NoteBefore,
  { only, skip = [] }: { readonly only?: readonly string[]; readonly skip?: readonly string[] },
) {
  const isNamed = only?.some((name) => name === path || name.startsWith(`${path}:`));
  if (change.kind === 'nothing' || change.kind === 'unknown' || skip.includes(path)) return null;
  if (!(isNamed ?? certain)) return null;
  const diff = change.kind === 'text' || change.kind === 'moved' ? change.diff : null;
  if (!diff) return { note, basis: null, hunks: null };
  const hunks = [...diff.hunks.entries()].flatMap(([at, { others }]) => {
    const name = `${path}:${at + 1}`;
    const isWanted = only?.includes(name) || (!others && (only?.includes(path) ?? true));
    return isWanted && !skip.includes(name) ? [at] : [];
  });
  if (change.kind === 'text' && hunks.length === 0 && diff.hunks.length > 0) return null;
  return { note, basis: diff.basis, hunks: hunks.length < diff.hunks.length ? hunks : null };
}
