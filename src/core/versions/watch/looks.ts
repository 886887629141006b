import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { VersionAuthor } from '../../../contract/versions';

/** A change that is seen. */
export interface Change {
  readonly by: readonly VersionAuthor[];
  /** Whether it is known that the note was not there before; null: nobody was asked. */
  readonly isNew: boolean | null;
}

/** A change whose note is still to be read. */
export interface Look extends Change {
  readonly at: number;
  /** Its file as it was when the change was seen; left out where that does not matter. */
  readonly file?: string | null;
}

/** As it is found, by whoever it was. */
export const ownLook = (at: number): Look => ({ by: [{ kind: 'disk' }], at, isNew: null });

/** Changes of one note that are read as one: where more than one has made them, nothing is certain of either. */
export function together(first: Look, second: Look): Look {
  const names = (look: Look) => new Set(look.by.map(nameOf));
  const [a, b] = [names(first), names(second)];
  if (a.size === b.size && [...a].every((name) => b.has(name))) {
    const by = second.by.map((one) => {
      const before = first.by.find((other) => nameOf(other) === nameOf(one));
      return before && isCertain(before) ? one : uncertain(one);
    });
    return { ...second, by, isNew: first.isNew };
  }
  const added = second.by.filter((one) => !a.has(nameOf(one)));
  return { ...second, by: [...first.by, ...added].map(uncertain), isNew: false };
}

function nameOf(author: VersionAuthor): string {
  if (author.kind === 'tool') return `tool ${author.callId}`;
  return author.kind === 'model' ? `model ${author.answer.runId}` : author.kind;
}

const isCertain = (author: VersionAuthor) => author.kind !== 'tool' || author.certain;
const uncertain = (author: VersionAuthor): VersionAuthor =>
  author.kind === 'tool' ? { ...author, certain: false } : author;

/** What tells that a file was written again; null: it is not there. */
export function fileAt(root: string, path: string): string | null {
  try {
    const { ino, size, mtimeMs, ctimeMs } = statSync(join(root, path));
    return `${ino} ${size} ${mtimeMs} ${ctimeMs}`;
  } catch {
    return null;
  }
}

/** When it was written or moved here last; of what is not there nobody can tell. */
export function writtenAt(root: string, path: string): number {
  // Clocks count whole milliseconds.
  return Math.floor(statSync(join(root, path), { throwIfNoEntry: false })?.ctimeMs ?? 0);
}
