import { z } from 'zod';
import type { Run } from '../../../contract/chat';
import { restoringHand } from '../../../contract/notes';
import { VersionAuthor, type VersionCause } from '../../../contract/versions';
import type { Clock, Log } from '../../foundation';
import type { NotesObserver, WatchedNote } from '../../notes';
import type { Vault } from '../../vault';
import { goneRecords, movedRecord } from '../keep/moves';
import { cameTo, type MovesWhileOff } from '../keep/moves-by-file';
import type { KeepQueue } from '../keep/queue';
import type { NoteRecord } from '../store/note-list';
import type { NewRecord } from '../store/store';
import type { Look } from './looks';

/** Milliseconds; a person and a model who write at the same time are in one version. */
const together = 5_000;

interface Watched {
  readonly note: WatchedNote;
  readonly queue: KeepQueue;
  /** Who wrote since it was kept last, by a key of theirs. */
  readonly hands: Map<string, VersionAuthor>;
  readonly id: { id: string | null };
  /** Runs whose beginning was kept. */
  readonly begun: Set<string>;
  cause: VersionCause;
  isChanged: boolean;
  /** Its file is gone. */
  isDeleted: boolean;
  keptAt: number;
  cancelTimer: (() => void) | null;
}

/** An open note that another program moved. */
interface MoveTold {
  readonly from: string;
  readonly to: string;
  readonly watched: Watched | undefined;
  readonly at: number;
  readonly by: VersionAuthor[];
}

/**
 * Keeps open notes. Before another hand writes, its text is kept for those who wrote until then; what another program wrote, and
 * what is restored, is kept at once; an answer when it has ended; and what is typed again and again while somebody types.
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
}) {
  const open = new Map<string, Watched>();
  /** By its place, the note that stood there when the app died, where another was told first to have come there since. */
  let pushedOut = new Map<string, string>();
  /** The notes from there were followed by their files. */
  let followedFrom: ReadonlySet<string> = new Set();

  function authorsOf(hand: string, path: string): VersionAuthor[] {
    if (hand === 'disk') return diskAuthors(path);
    if (hand.startsWith('recovery-') || hand.startsWith('hook-')) return [{ kind: 'app' }];
    const run = runOf(hand);
    switch (run?.kind) {
      case 'answer': {
        const { runId, model, startedAt } = run;
        const answer = { runId, note: run.path, model: model || run.provider, startedAt };
        return [{ kind: 'model', answer }];
      }
      case 'call': {
        const { server, tool, callId } = run.call;
        return [{ kind: 'tool', server, tool, callId, certain: true, answer: null }];
      }
      default:
        return [{ kind: 'you' }];
    }
  }

  /** Of an answer it is known only once it is over how it ended. */
  function asEnded(author: VersionAuthor): VersionAuthor {
    if (author.kind !== 'model') return author;
    const run = runOf(author.answer.runId);
    const phase = run?.kind === 'answer' ? run.phase : null;
    if (phase?.kind === 'failed' || phase?.kind === 'broke-off') return { ...author, end: phase.kind };
    if (phase?.kind !== 'finished') return author;
    return { ...author, end: phase.reason === 'cancelled' ? 'stopped' : 'answered' };
  }

  function watch(note: WatchedNote): Watched | null {
    const entry = open.get(note.sessionId);
    if (entry) return entry;
    const own = queue();
    if (!own) return null;
    const watched: Watched = {
      note,
      queue: own,
      hands: new Map(),
      id: { id: null },
      begun: new Set(),
      cause: 'found',
      isChanged: true,
      isDeleted: false,
      keptAt: Number.NEGATIVE_INFINITY,
      cancelTimer: null,
    };
    open.set(note.sessionId, watched);
    return watched;
  }

  function flush(watched: Watched): void {
    watched.cancelTimer?.();
    watched.cancelTimer = null;
    if (!watched.isChanged) return;
    const { note, hands, cause, id } = watched;
    watched.queue.keep({
      path: note.path,
      text: note.text(),
      by: [...hands.values()].map(asEnded),
      cause,
      at: clock.now(),
      seen: null,
      note: id,
      isGone: watched.isDeleted,
    });
    watched.isChanged = false;
    watched.keptAt = clock.now();
  }

  const isQuick = (hand: string) => hand !== 'disk' && !hand.startsWith(restoringHand);

  function changing(note: WatchedNote, hand: string): void {
    const watched = watch(note);
    if (!watched || (watched.hands.has(keyOf(hand)) && isQuick(hand))) return;
    const run = runOf(hand);
    const isRun = run !== undefined;
    // What a note that was just opened says anew is by the answer that an app that died was writing there.
    const isLeft = isRun && run.finishedAt !== null && watched.cause === 'found';
    const begins = isRun && !watched.begun.has(hand);
    if (isRun) watched.begun.add(hand);
    const isTogether = clock.now() - watched.keptAt < together && watched.hands.size > 0 && !begins;
    if (!isLeft && (!isTogether || !isQuick(hand))) {
      flush(watched);
      watched.hands.clear();
    }
    // What is taken from disk is there.
    const isBack = hand === 'disk' && watched.isDeleted;
    if (isBack) watched.isDeleted = false;
    watched.cause = isBack || hand.startsWith(restoringHand) ? 'restored' : 'changed';
    for (const [at, author] of authorsOf(hand, note.path).entries())
      watched.hands.set(at === 0 ? keyOf(hand) : `${keyOf(hand)} ${at}`, author);
  }

  /** All windows of the person are one hand. */
  function keyOf(hand: string): string {
    if (!isQuick(hand) || hand.startsWith('recovery-') || hand.startsWith('hook-')) return hand;
    return runOf(hand) ? hand : 'you';
  }

  function changed(note: WatchedNote, hand: string): void {
    const watched = open.get(note.sessionId);
    if (!watched) return;
    watched.isChanged = true;
    if (!isQuick(hand)) {
      flush(watched);
      watched.hands.clear();
      return;
    }
    watched.cancelTimer ??= clock.after(interval(), () => {
      watched.cancelTimer = null;
      guarded(() => {
        flush(watched);
        watched.hands.clear();
      });
    });
  }

  /** History may fail, a note may not. */
  function guarded(work: () => void): void {
    try {
      work();
    } catch (error) {
      log.error('versions of an open note not followed', { error });
    }
  }

  /** The text that it died with is by those who wrote since its last version. */
  function recovered(note: WatchedNote, left: unknown): void {
    const by = z.array(VersionAuthor).safeParse(left);
    const watched = by.success && by.data.length > 0 ? watch(note) : null;
    if (!by.success || !watched) return;
    watched.cause = 'changed';
    for (const [at, author] of by.data.entries()) watched.hands.set(`left ${at}`, author);
    flush(watched);
    watched.hands.clear();
  }

  /** With what it said until then, which nothing but its window may have. */
  function deleted(note: WatchedNote, { at, by }: Look): void {
    const watched = watch(note);
    if (!watched) return;
    flush(watched);
    watched.hands.clear();
    watched.isDeleted = true;
    const {
      id,
      queue,
      note: { path },
    } = watched;
    queue.add((list) => {
      const record = (id.id === null ? undefined : list.byId(id.id)) ?? list.at(path);
      return record ? goneRecords(list, { note: record.note, path }, at, by) : [];
    });
  }

  /** Told in one go, they may have taken each other's places: whose record is whose is known before any of them moves. */
  let toldTogether: MoveTold[] | null = null;

  function movedNow(from: string, to: string): void {
    const watched = [...open.values()].find(({ note }) => note.path === to);
    if (watched) watched.isDeleted = false;
    const move: MoveTold = { from, to, watched, at: clock.now(), by: diskAuthors(to) };
    if (toldTogether) return void toldTogether.push(move);
    const batch = [move];
    toldTogether = batch;
    queueMicrotask(() => {
      toldTogether = null;
    });
    (watched?.queue ?? queue())?.add((list) => {
      const records = batch.map((one) => {
        const { id } = one.watched?.id ?? { id: null };
        return { ...one, record: (id && list.byId(id)) || list.at(one.from) || list.goneAt(one.from) };
      });
      return records.flatMap(({ record, to, at, by }) =>
        !record || record.path === to ? [] : [movedRecord(record, to, at, by)],
      );
    });
  }

  /** Its record goes along, also where its session is over or has kept nothing yet. */
  function moved(from: string, to: string, by: 'others' | 'app' | null, whileOff = false): void {
    const watched = [...open.values()].find(({ note }) => note.path === to);
    // It was not gone but on its way.
    if (watched) watched.isDeleted = false;
    const at = clock.now();
    const authors = by === 'others' ? diskAuthors(to) : by === 'app' ? [{ kind: 'you' } as const] : [];
    (watched?.queue ?? queue())?.add((list) => {
      if ((by === null && list.at(to)) || (whileOff && followedFrom.has(from))) return [];
      const known = watched?.id.id ? list.byId(watched.id.id) : undefined;
      const one = whileOff ? list.byId(pushedOut.get(from) ?? '') : undefined;
      const pushed = one?.isGone && one.path === from ? one : undefined;
      const record = known ?? pushed ?? list.at(from) ?? list.goneAt(from);
      if (!record || record.path === to) return [];
      // It may be on its way, too, and be told next.
      const there = list.at(to);
      if (whileOff && there) pushedOut.set(to, there.note);
      return [movedRecord(record, to, at, authors)];
    });
  }

  /** What came to its place brings its own history. */
  function replaced(path: string): void {
    const at = clock.now();
    const by = diskAuthors(path);
    queue()?.add((list) => {
      const record = cameTo(path, list, files);
      return record ? [movedRecord(record, path, at, by)] : [];
    });
  }

  function back(note: WatchedNote): void {
    const watched = open.get(note.sessionId);
    if (!watched?.isDeleted) return;
    watched.isDeleted = false;
    watched.isChanged = true;
    watched.cause = 'restored';
    if (watched.hands.size === 0) watched.hands.set('you', { kind: 'you' });
    flush(watched);
    watched.hands.clear();
  }

  const observer: Omit<NotesObserver, 'deleted'> = {
    changing(note, hand) {
      guarded(() => changing(note, hand));
      return [...(open.get(note.sessionId)?.hands.values() ?? [])];
    },
    changed: (note, hand) => guarded(() => changed(note, hand)),
    recovered: (note, left) => guarded(() => recovered(note, left)),
    moved: (from, to, by, whileOff) =>
      guarded(() => (by === 'others' && !whileOff ? movedNow(from, to) : moved(from, to, by, whileOff))),
    async closed(note, end) {
      const watched = open.get(note.sessionId);
      open.delete(note.sessionId);
      guarded(() => {
        if (!watched) return;
        flush(watched);
        watched.queue.add((list) => {
          const record = watched.id.id === null ? list.at(note.path) : list.byId(watched.id.id);
          return record && !record.isGone ? atRest(record) : [];
        });
      });
      if (end === 'replaced') guarded(() => replaced(note.path));
      await watched?.queue.settled();
    },
  };

  return {
    observer,
    /** Whatever was moved while the app was closed has been followed to where it is. Null: nothing was yet, in a vault just opened. */
    followed(moves: Pick<MovesWhileOff, 'from' | 'pushedOut'> | null): void {
      followedFrom = moves?.from ?? new Set();
      pushedOut = new Map(moves?.pushedOut);
    },
    /** Its note is gone though it is open; null: it is there again. */
    deleted: (note: WatchedNote, look: Look | null) =>
      guarded(() => (look ? deleted(note, look) : back(note))),
    /** Keeps what the answer wrote. */
    runEnded(runId: string): void {
      for (const watched of open.values()) {
        if (!watched.hands.has(runId)) continue;
        flush(watched);
        watched.hands.clear();
      }
    },
    /** Keeps what is not kept yet, of the notes that `which` says. */
    flush(which: (path: string) => boolean): void {
      for (const watched of open.values()) {
        if (!which(watched.note.path)) continue;
        flush(watched);
        watched.hands.clear();
      }
    },
    close(): void {
      for (const watched of open.values()) watched.cancelTimer?.();
      open.clear();
    },
  };
}
