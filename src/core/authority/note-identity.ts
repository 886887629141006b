import { createHash, randomUUID } from 'node:crypto';
import { isUnder, movedPath } from '../../contract/paths';
import { isOlderFile, readFileInsideSync } from '../../files';
import { readFrontMatter } from '../../markdown';
import type { Clock, Database } from '../foundation';
import type { OwnChange, Vault } from '../vault';

/**
 * Which note it is that something was said of: the note, not its name. It is the same one through the app's own renames and
 * saves, wherever another program moves its file, and when a file that takes its place has nearly all of its lines; it is
 * over when it is trashed, deleted, or something else has its name.
 */
export interface NoteIdentity {
  /** The note that stands at the path of the open vault this moment. Null: nothing was ever said of it. */
  at(path: string): string | null;
  /** As `at`, of any note that is there: from now on it is known. Null: nothing is there. */
  name(path: string): string | null;
  /** Of a note of whatever vault; null: it is over. */
  lastSeen(note: string): { readonly path: string; readonly file: string } | null;
  onMoved(listener: (note: string, path: string) => void): void;
  onOver(listener: (note: string) => void): void;
  close(): void;
}

interface Known {
  readonly id: string;
  readonly vault: string;
  readonly path: string;
  readonly file: string;
  /** Of each line of its text below the front matter; nothing can be read from it. */
  readonly lines: readonly string[];
}

const largestRead = 100 * 1024 * 1024;
const mostLines = 2_000;
/** Programs that save by removing and writing anew leave a gap. */
const gapMs = 300;

/** One closure, since whatever is told of a file moves or ends the same notes. */
export function createNoteIdentity({
  database,
  vault,
  clock,
}: {
  database: Pick<Database, 'table'>;
  vault: Pick<Vault, 'id' | 'root' | 'state' | 'fileAt' | 'whereIs' | 'onOwnChange' | 'onDiskChange'>;
  clock: Clock;
}): NoteIdentity {
  const store = createKnownNotes(database);
  const moved = new Set<(note: string, path: string) => void>();
  const over = new Set<(note: string) => void>();
  const waiting = new Set<() => void>();

  function end({ id }: Known): void {
    store.remove(id);
    for (const listener of over) listener(id);
  }

  function move(note: Known, path: string): Known {
    const there = { ...note, path };
    store.put(there);
    for (const listener of moved) listener(note.id, path);
    return there;
  }

  function linesAt(path: string): readonly string[] | null {
    try {
      return linesOf(readFileInsideSync(vault.root(), path, largestRead).toString('utf8'));
    } catch {
      return null;
    }
  }

  /** What is known of the note at the path, by its file, else by its words. */
  function find(name: string): Known | null {
    const path = cleanPath(name);
    const here = vault.id();
    const file = here === null ? null : vault.fileAt(path);
    if (here === null || file === null) return null;
    const all = store.ofVault(here);
    const same = all.find((note) => note.file === file);
    // Another way to it, such as a link, moves nothing.
    if (same) return same.path === path || vault.fileAt(same.path) === file ? same : move(same, path);
    const former = all.find((one) => one.path === path);
    if (!former || isOlderFile(file, former.file)) return null;
    const elsewhere = vault.whereIs(former.file);
    if (elsewhere !== null && elsewhere !== path) {
      move(former, elsewhere);
      return null;
    }
    const lines = linesAt(path);
    if (lines === null || !isWrittenOn(former.lines, lines)) return null;
    const there = { ...former, file, lines };
    store.put(there);
    return there;
  }

  /** What is not there any more, or is another note by now, is over. */
  function review(note: Known): void {
    if (vault.id() !== note.vault) return;
    const now = store.get(note.id);
    if (!now) return;
    const to = vault.whereIs(now.file);
    if (to !== null && to !== now.path) move(now, to);
    const there = find(to ?? now.path);
    if (there?.id !== now.id) end(now);
    else store.put({ ...there, lines: linesAt(there.path) ?? there.lines });
  }

  function reviewSoon(notes: readonly Known[]): void {
    if (notes.length === 0) return;
    const cancel = clock.after(gapMs, () => {
      waiting.delete(cancel);
      for (const one of notes) review(one);
    });
    waiting.add(cancel);
  }

  function under(folder: string): Known[] {
    const here = vault.id();
    return here === null ? [] : store.ofVault(here).filter(({ path }) => isUnder(path, folder));
  }

  function ownChange(change: OwnChange): void {
    switch (change.kind) {
      case 'written':
      case 'linked': {
        const { path, file, replaced, text } = change;
        if (file === null) return;
        const here = under(path).filter((note) => note.path === path);
        const lines = here.length === 0 ? [] : linesOf(text());
        for (const note of here) {
          if (note.file === replaced || isWrittenOn(note.lines, lines)) store.put({ ...note, file, lines });
        }
        return;
      }
      case 'renamed': {
        const { from, to } = change;
        const going = under(from);
        for (const note of under(to)) if (!going.some(({ id }) => id === note.id)) end(note);
        for (const note of going) move(note, movedPath(note.path, from, to));
        return;
      }
      case 'created':
      case 'trashed':
        for (const note of under(change.path)) {
          const to = vault.whereIs(note.file);
          if (to !== null && !isUnder(to, change.path)) move(note, to);
          else end(note);
        }
    }
  }

  const stops = [
    vault.onOwnChange(ownChange),
    vault.onDiskChange(({ changed, removed }) => {
      const paths = [...changed, ...removed];
      reviewSoon(under('').filter(({ path }) => paths.includes(path)));
    }),
    vault.state.onChange(({ kind }) => {
      if (kind === 'open') for (const note of under('')) review(note);
    }),
  ];

  return {
    at: (path) => find(path)?.id ?? null,
    name(rawPath) {
      const path = cleanPath(rawPath);
      const note = find(path);
      if (note) return note.id;
      const here = vault.id();
      const file = vault.fileAt(path);
      const lines = file === null ? null : linesAt(path);
      if (here === null || file === null || lines === null) return null;
      for (const former of under(path)) if (former.path === path) end(former);
      const id = randomUUID();
      store.put({ id, vault: here, path, file, lines });
      return id;
    },
    lastSeen: store.get,
    onMoved: (listener) => void moved.add(listener),
    onOver: (listener) => void over.add(listener),
    close() {
      for (const stop of stops) stop();
      for (const cancel of waiting) cancel();
    },
  };
}

const cleanPath = (path: string) =>
  path
    .split('/')
    .filter((part) => part !== '' && part !== '.')
    .join('/');

/** What was said of a note was said of its words as well: front matter and roles alone are any note's. */
function linesOf(text: string): string[] {
  const plain = text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n');
  const body = plain.slice(readFrontMatter(plain)?.to ?? 0);
  const lines = body.split('\n').map((line) => line.trim());
  return lines
    .filter((line) => /[\p{L}\p{N}]/u.test(line) && !/^#[^\s#]+\s*:$/u.test(line))
    .slice(0, mostLines)
    .map((line) => createHash('sha256').update(line).digest('base64').slice(0, 8));
}

/** A file that took the other's place has nearly all of its lines. */
function isWrittenOn(before: readonly string[], after: readonly string[]): boolean {
  const unmatched = new Map<string, number>();
  for (const line of after) unmatched.set(line, (unmatched.get(line) ?? 0) + 1);
  let same = 0;
  for (const line of before) {
    const count = unmatched.get(line) ?? 0;
    if (count > 0) same++;
    unmatched.set(line, count - 1);
  }
  return before.length > 0 && same * 4 >= before.length * 3;
}

function createKnownNotes(database: Pick<Database, 'table'>) {
  const notes = database.table<Omit<Known, 'lines'> & { lines: string }>(`
    create table if not exists known_notes (
      id text primary key, vault text not null, path text not null, file text not null, lines text not null
    ) strict
  `);
  const noteOf = (row: Omit<Known, 'lines'> & { lines: string }): Known => ({
    ...row,
    lines: row.lines.split(' ').filter((line) => line !== ''),
  });
  return {
    put: (note: Known) => void notes.put({ ...note, lines: note.lines.join(' ') }),
    remove: (id: string) => void notes.remove({ id }),
    get(id: string): Known | null {
      const row = notes.get({ id });
      return row ? noteOf(row) : null;
    },
    ofVault: (vault: string): Known[] => notes.all({ vault }).map(noteOf),
  };
}
