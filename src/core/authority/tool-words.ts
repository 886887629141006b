import { createHash } from 'node:crypto';
import type { Database } from '../foundation';
import type { NoteIdentity } from './note-identity';

/** A tool, by the name of its server. */
export interface WritingTool {
  readonly server: string;
  readonly tool: string;
}

/** Which lines of a note a tool wrote: where they stand in a person's turn they are not the person's word. */
export interface ToolWords {
  /** `before`: what the note said; null: nobody knows, or it was not there. */
  wrote(
    path: string,
    tool: WritingTool,
    texts: { readonly before: string | null; readonly after: string },
  ): void;
  /** Of the note that stands at the path now. */
  of(path: string): (line: string) => WritingTool | null;
}

interface Row {
  note: string;
  /** By the hash of a line, the newest last. */
  lines: string;
}

/** Of one note. */
const mostLines = 5_000;

/** Without the tag that it may begin with: of a tag alone nobody can say whose it is. */
const wordsOf = (line: string) => line.replace(/^[\s>*+-]*#\S+ ?[:：]/, '').trim();

const hasWords = (line: string) => /[\p{L}\p{N}]/u.test(line);

const hashOf = (words: string) => createHash('sha256').update(words).digest('base64url').slice(0, 20);

export function createToolWords({
  database,
  identity,
}: {
  readonly database: Pick<Database, 'table'>;
  readonly identity: Pick<NoteIdentity, 'at' | 'name' | 'onOver'>;
}): ToolWords {
  const rows = database.table<Row>(
    'create table if not exists tool_words (note text primary key, lines text not null) strict',
  );
  identity.onOver((note) => void rows.remove({ note }));
  const linesOf = (note: string) =>
    new Map<string, readonly [string, string]>(JSON.parse(rows.get({ note })?.lines ?? '[]'));

  return {
    wrote(path, { server, tool }, { before, after }) {
      const former = new Set((before ?? '').split(/\r\n?|\n/).map(wordsOf));
      const fresh = after.split(/\r\n?|\n/).map(wordsOf);
      const hashes = fresh.filter((words) => hasWords(words) && !former.has(words)).map(hashOf);
      const note = hashes.length === 0 ? null : identity.name(path);
      if (note === null) return;
      const lines = linesOf(note);
      for (const hash of hashes) {
        lines.delete(hash);
        lines.set(hash, [server, tool]);
      }
      void rows.put({ note, lines: JSON.stringify([...lines].slice(-mostLines)) });
    },
    of(path) {
      const note = identity.at(path);
      const lines = note === null ? null : linesOf(note);
      return (line) => {
        const found = lines?.size ? lines.get(hashOf(wordsOf(line))) : undefined;
        return found ? { server: found[0], tool: found[1] } : null;
      };
    },
  };
}
