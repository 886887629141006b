import { randomBytes } from 'node:crypto';
import { Text } from '@codemirror/state';
import { AppError } from '../../../contract/errors';
import { restoringHand } from '../../../contract/notes';
import type { VersionDiff } from '../../../contract/versions';
import { diffTexts, type NoteSession, readLines } from '../../notes';
import { changesFor, drawHunks, type LineHunk, lineHunks, rangeOf } from './hunks';
import type { Place } from './take-back';

interface Preview {
  readonly now: Text;
  readonly then: Text;
  readonly hunks: readonly LineHunk[];
  /** As it stood on disk; null: a text that never did. */
  readonly onDisk: string | null;
}

/** What was shown of two texts, for as long as somebody may choose from it. */
export interface Previews {
  /**
   * `onDisk`: the second text with its line ends, where it is one that stood on disk. `others`: what others
   * wrote in the first text.
   */
  show(now: string, then: string, onDisk: string | null, others?: readonly Place[]): VersionDiff;
  /**
   * Makes the chosen differences in the open note; `hunks` null: all of them. What changed elsewhere since it was shown stays.
   * Throws `versions.changed` where the same lines did, and what the session throws.
   */
  apply(session: NoteSession, basis: string, hunks: readonly number[] | null): void;
}

const mostKept = 200;
const mostCharacters = 40_000_000;

export function createPreviews(): Previews {
  const previews = new Map<string, Preview>();
  let weight = 0;

  function keep(preview: Preview): string {
    const basis = randomBytes(8).toString('hex');
    previews.set(basis, preview);
    weight += weightOf(preview);
    for (const [key, old] of previews) {
      if (previews.size <= mostKept && weight <= mostCharacters) break;
      if (key === basis) continue;
      previews.delete(key);
      weight -= weightOf(old);
    }
    return basis;
  }

  return {
    show(nowText, thenText, onDisk, others = []) {
      const [now, then] = [readLines(nowText).doc, readLines(thenText).doc];
      const hunks = lineHunks(now, then);
      const basis = keep({ now, then, hunks, onDisk });
      return {
        basis,
        hunks: drawHunks(hunks, now, then).map((drawn, at) => {
          const hunk = hunks[at];
          const range = hunk && rangeOf(hunk, now);
          const isOthers = range && others.some(({ from, to }) => from < range.to && to > range.from);
          return isOthers ? { ...drawn, others: true } : drawn;
        }),
        endsOnly: hunks.length === 0 && nowText !== thenText,
      };
    },
    apply(session, basis, chosen) {
      const { path } = session;
      const preview = previews.get(basis);
      if (!preview) throw changed(path, []);
      const present = Text.of(session.text().split('\n'));
      const hand = `${restoringHand}${randomBytes(8).toString('hex')}`;
      const isAll = chosen === null || chosen.length === preview.hunks.length;
      if (isAll && preview.onDisk !== null && present.eq(preview.now))
        return session.replace(hand, preview.onDisk);
      const { now, then } = preview;
      // Somebody pressed twice.
      if (isAll && present.eq(then)) return;
      const numbers = isAll ? [...preview.hunks.keys()] : chosen;
      const hunks = numbers.flatMap((number) => preview.hunks[number] ?? []);
      const since = diffTexts(now, present);
      const met = numbers.filter((number) => {
        const hunk = preview.hunks[number];
        const range = hunk && rangeOf(hunk, now);
        return range !== undefined && since.touchesRange(range.from, range.to) !== false;
      });
      if (met.length > 0) throw changed(path, met);
      const ordered = [...hunks].sort((a, b) => a.from - b.from);
      session.apply(hand, changesFor(ordered, now, then).map(since));
    },
  };
}

const weightOf = ({ now, then }: Preview) => now.length + then.length;

function changed(path: string, hunks: number[]): AppError {
  const message = `“${path}” says something else by now in these places. Nothing was restored there: look at it again.`;
  return new AppError('versions.changed', message, { path, hunks });
}
