import { isWithinLine } from '../../../markdown';
import type { NoteSession } from '../../notes';

export interface Removal {
  readonly from: number;
  readonly to: number;
  readonly insert: string;
  /** Line breaks that stay between it and the new tag, so that what is typed there at that moment is not put before the tag. */
  readonly parting: number;
}

/** An answer that stays in the note until the one below it has words. */
export interface HeldAnswer {
  readonly text: string;
  /** What takes it out; null: somebody has written into it since it was read. */
  removal(): Removal | null;
  release(): void;
}

/** `text`: as it was read. `from`: where it begins by now. `newTag`: where the one below it begins; `closing`: ends code above that. */
export function holdOldAnswer(
  session: NoteSession,
  {
    text,
    from,
    newTag,
    closing,
  }: { readonly text: string; readonly from: number; readonly newTag: number; readonly closing: string },
): HeldAnswer {
  const start = session.anchor(from, 1);
  const end = session.anchor(newTag, -1);
  const written = session.slice(from, newTag);
  const isAsRead = written.startsWith(text) && written.slice(text.length).trim() === closing.trim();
  return {
    text,
    removal() {
      const [from, to] = [start.position(), end.position()];
      if (!isAsRead || session.slice(from, to) !== written) return null;
      const above = session.slice(0, from);
      const line = above.lastIndexOf('\n') + 1;
      // Its blanks would put the new tag into the list that it was in.
      if (above.slice(line).trim() === '') {
        const parting = Math.min(breaksAtEnd(above.slice(0, line)), breaksAtEnd(written));
        return { from: line - parting, to: to - parting, insert: '', parting };
      }
      if (!isWithinLine(above, from)) return { from, to, insert: '', parting: 0 };
      return { from: above.replace(/(?<![ \t])[ \t]+$/, '').length, to, insert: '\n\n', parting: 0 };
    },
    release() {
      start.release();
      end.release();
    },
  };
}

const breaksAtEnd = (text: string) => /\n{0,2}$/.exec(text.slice(-2))?.[0].length ?? 0;

/** Of an answer that broke off: nothing takes it out any more. */
export const leftStanding = (text: string): HeldAnswer => ({
  text,
  removal: () => null,
  release: () => undefined,
});
