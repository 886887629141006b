import type { NoteBefore } from '../../../contract/versions';

export const canComeBack = ({ change }: NoteBefore) => change.kind !== 'unknown' && change.kind !== 'nothing';
export const diffOf = ({ change }: NoteBefore) =>
  change.kind === 'text' || change.kind === 'moved' ? change.diff : null;

export const hunkKey = ({ note }: NoteBefore, at: number) => `${note}:${at}`;

/** What is not to be restored. At first that is what is not certainly the tools’, and lines with words of others. */
export function leftOf(notes: readonly NoteBefore[], toggled: ReadonlySet<string>): ReadonlySet<string> {
  const excluded = new Set<string>();
  const put = (key: string, isAtFirst: boolean) => isAtFirst !== toggled.has(key) && excluded.add(key);
  for (const note of notes) {
    put(note.note, !note.certain);
    for (const [at, hunk] of (diffOf(note)?.hunks ?? []).entries())
      put(hunkKey(note, at), hunk.others === true);
  }
  return excluded;
}

export const isAllLeft = (note: NoteBefore, excluded: ReadonlySet<string>) => {
  const hunks = diffOf(note)?.hunks ?? [];
  return (
    note.change.kind === 'text' && hunks.length > 0 && hunks.every((_, at) => excluded.has(hunkKey(note, at)))
  );
};
