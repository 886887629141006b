import { ToolFailure } from '../../base/failures';
import { hashOf } from '../../base/hash';
import type { Document } from './document';
import type { Move } from './links';

export interface Change {
  readonly path: string;
  /** As it was read from the disk. Null: not there. */
  readonly before: Document | null;
  /** Null: the file goes. */
  readonly after: string | null;
  /** The file whose permissions a new one has. */
  readonly like: string | undefined;
}

/** Changes that are not written yet; reading sees them. */
export interface Draft {
  read(path: string): Promise<Document | null>;
  /** Replaces a file that was read, or makes a new one; `like`: another file that the text was in before. */
  write(path: string, text: string, like?: string): Promise<Document>;
  remove(path: string): Promise<void>;
  /** What was written at `to` is what was removed at `from`: links go along. */
  moved(from: string, to: string): void;
  /** A line for the record of batches, kept if and only if the changes are. */
  record(line: string): void;
  /** Gives a function that takes back all that was drafted since. */
  savepoint(): () => void;
  changes(): readonly Change[];
  moves(): readonly Move[];
  recorded(): readonly string[];
}

const largestWrite = 5 * 1024 * 1024;
/** A note that is larger already may still be changed a little. */
const growth = 64 * 1024;

/** What no other program would take for text, or could not even write. */
function oddIn(text: string): string | null {
  if (text.includes('\0')) return 'a NUL character';
  return text.isWellFormed() ? null : 'half of a character (a lone surrogate)';
}

export function createDraft({ find }: { find: (path: string) => Promise<Document | null> }): Draft {
  const before = new Map<string, Document | null>();
  let after = new Map<string, Document | null>();
  let lines: string[] = [];
  let moves: Move[] = [];
  const likes = new Map<string, string>();

  async function read(path: string): Promise<Document | null> {
    const drafted = after.get(path);
    if (drafted !== undefined) return drafted;
    const original = before.get(path);
    if (original !== undefined) return original;
    const document = await find(path);
    before.set(path, document);
    return document;
  }

  return {
    read,
    write: async (path, text, like) => {
      const present = await read(path);
      const size = Buffer.byteLength(text);
      const from = moves.findLast(({ to }) => to === path)?.from;
      const former = present ?? (from === undefined ? null : before.get(from));
      const most = Math.max(largestWrite, former ? Buffer.byteLength(former.text) + growth : 0);
      if (size > most) {
        throw new ToolFailure(
          'too_large',
          `“${path}” would have ${size} bytes; at most ${most} are allowed.`,
          {
            hint: 'Write less at once, or put a part of it into another note.',
          },
        );
      }
      const odd = oddIn(text);
      if (odd !== null && oddIn(present?.text ?? '') !== odd)
        throw new ToolFailure('validation', `A note is text; this has ${odd}.`);
      const document = { path, text, hash: hashOf(text) };
      after.set(path, document);
      if (like !== undefined) likes.set(path, like);
      return document;
    },
    remove: async (path) => {
      await read(path);
      after.set(path, null);
    },
    moved: (from, to) => {
      moves.push({ from, to });
    },
    moves: () => moves,
    record: (line) => {
      lines.push(line);
    },
    savepoint: () => {
      const [files, recorded, moved] = [new Map(after), [...lines], [...moves]];
      return () => {
        moves = moved;
        after = files;
        lines = recorded;
      };
    },
    changes: () =>
      [...after]
        .map(([path, document]) => ({
          path,
          before: before.get(path) ?? null,
          after: document?.text ?? null,
          like: likes.get(path),
        }))
        .filter((change) => (change.before?.text ?? null) !== change.after),
    recorded: () => lines,
  };
}
