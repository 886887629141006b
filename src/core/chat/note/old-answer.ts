import { isWithinLine } from '../../../markdown';
import type { NoteSession } from '../../notes';

/** An answer that stays in the note until the one below it has words. */
export interface HeldAnswer {
  readonly text: string;
  /** What takes it out; null: somebody has written into it since it was read. */
  removal(): { readonly from: number; readonly to: number; readonly insert: string } | null;
  release(): void;
}

/** `text`: as it was read. `from`: where it begins by now. `newTag`: where the one below it begins. */
export function holdOldAnswer(
  session: NoteSession,
  { text, from, newTag }: { readonly text: string; readonly from: number; readonly newTag: number },
): HeldAnswer {
  const start = session.anchor(from, 1);
  const end = session.anchor(newTag, -1);
  const written = session.slice(from, newTag);
  return {
    text,
    removal() {
      const [from, to] = [start.position(), end.position()];
      if (!written.startsWith(text) || session.slice(from, to) !== written) return null;
      const above = session.slice(0, from);
      if (!isWithinLine(above, from)) return { from, to, insert: '' };
      return { from: above.replace(/(?<![ \t])[ \t]+$/, '').length, to, insert: '\n\n' };
    },
    release() {
      start.release();
      end.release();
    },
  };
}
