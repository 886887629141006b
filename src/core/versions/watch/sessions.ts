import { z } from 'zod';
import type { Run } from '../../../contract/chat';
import { VersionAuthor } from '../../../contract/versions';
import type { Clock, Log } from '../../foundation';
import type { NotesObserver, WatchedNote } from '../../notes';
import type { Vault } from '../../vault';
import type { KeepQueue } from '../keep/queue';
import type { NoteRecord } from '../store/note-list';
import type { NewRecord } from '../store/store';
import { createHands } from './hands';
import type { Look } from './looks';
import { createOpenNote, type OpenNote } from './open-note';
import { createSessionMoves, type SessionMoves } from './session-moves';

/** The versions of open notes. */
export interface SessionKeeper {
  readonly observer: Omit<NotesObserver, 'deleted'>;
  readonly followed: SessionMoves['followed'];
  /** Its note is gone though it is open; null: it is there again. */
  deleted(note: WatchedNote, look: Look | null): void;
  /** Keeps what the answer wrote. */
  runEnded(runId: string): void;
  /** Keeps what is not kept yet, of the notes that `which` says. */
  flush(which: (path: string) => boolean): void;
  close(): void;
}

/**
 * Keeps open notes. Before another hand writes, its text is kept for those who wrote until then; what another program wrote, and
 * what is restored, is kept at once; an answer when it has ended; and what is typed again and again while somebody types. One
 * closure, since all of it is by the notes that are open.
 */
export function createSessionKeeper({
  clock,
  log,
  queue,
  interval,
  runOf,
  diskAuthors,
  files,
  atRest,
}: {
  clock: Clock;
  log: Log;
  /** Null: nothing is kept now. */
  queue: () => KeepQueue | null;
  interval: () => number;
  runOf: (runId: string) => Run | undefined;
  diskAuthors: (path: string) => VersionAuthor[];
  files: Pick<Vault, 'fileAt'>;
  /** Which file a note is, as it stands on disk. */
  atRest: (record: NoteRecord) => Promise<NewRecord[]>;
}): SessionKeeper {
  const hands = createHands(runOf, diskAuthors);
  const notes = new Map<string, OpenNote>();
  const openAt = (path: string) => [...notes.values()].find(({ note }) => note.path === path);
  const moves = createSessionMoves({ clock, queue, diskAuthors, files, openAt });

  /** History may fail, a note may not. */
  function guarded(work: () => void): void {
    try {
      work();
    } catch (error) {
      log.error('versions of an open note not followed', { error });
    }
  }

  function watch(note: WatchedNote): OpenNote | null {
    const entry = notes.get(note.sessionId);
    if (entry) return entry;
    const own = queue();
    if (!own) return null;
    const open = createOpenNote({ note, queue: own, hands, clock, interval, guarded });
    notes.set(note.sessionId, open);
    return open;
  }

  const observer: Omit<NotesObserver, 'deleted'> = {
    changing(note, hand) {
      guarded(() => watch(note)?.changing(hand));
      return notes.get(note.sessionId)?.authors() ?? [];
    },
    changed: (note, hand) => guarded(() => notes.get(note.sessionId)?.changed(hand)),
    recovered: (note, observed) =>
      guarded(() => {
        const by = z.array(VersionAuthor).safeParse(observed);
        if (by.success && by.data.length > 0) watch(note)?.recovered(by.data);
      }),
    moved: (from, to, by, whileOff) =>
      guarded(() =>
        by === 'others' && !whileOff ? moves.movedNow(from, to) : moves.moved(from, to, by, whileOff),
      ),
    async closed(note, end) {
      const open = notes.get(note.sessionId);
      notes.delete(note.sessionId);
      guarded(() => {
        if (!open) return;
        open.keep();
        open.queue.add((list) => {
          const record = open.noteId.value === null ? list.at(note.path) : list.byId(open.noteId.value);
          return record && !record.isGone ? atRest(record) : [];
        });
      });
      if (end === 'replaced') guarded(() => moves.replaced(note.path));
      await open?.queue.settled();
    },
  };

  return {
    observer,
    followed: moves.followed,
    deleted: (note, look) =>
      guarded(() => (look ? watch(note)?.deleted(look) : notes.get(note.sessionId)?.back())),
    runEnded(runId) {
      for (const open of notes.values()) if (open.isWrittenBy(runId)) open.keep();
    },
    flush(which) {
      for (const open of notes.values()) if (which(open.note.path)) open.keep();
    },
    close() {
      for (const open of notes.values()) open.close();
      notes.clear();
    },
  };
}
