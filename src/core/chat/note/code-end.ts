import type { NoteSession } from '../../notes';

/** The line that ends code below the place where an answer still writes into it. */
export interface CodeEnd {
  readonly fence: string;
  /** With the line break above it; null: somebody has changed it, so it is theirs. */
  place(): { readonly from: number; readonly to: number } | null;
  release(): void;
}

/** It stands at `at`, behind its line break. */
export function holdCodeEnd(session: NoteSession, at: number, fence: string): CodeEnd {
  const start = session.anchor(at, 1);
  const end = session.anchor(at + 1 + fence.length, -1);
  return {
    fence,
    place() {
      const [from, to] = [start.position(), end.position()];
      return session.slice(from, to) === `\n${fence}` ? { from, to } : null;
    },
    release() {
      start.release();
      end.release();
    },
  };
}
