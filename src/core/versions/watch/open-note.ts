import { restoringHand } from '../../../contract/notes';
import type { VersionAuthor, VersionCause } from '../../../contract/versions';
import type { Clock } from '../../foundation';
import type { WatchedNote } from '../../notes';
import { goneRecords } from '../keep/moves';
import type { KeepQueue } from '../keep/queue';
import { type Hands, isQuick } from './hands';
import type { Look } from './looks';

/** Milliseconds; a person and a model who write at the same time are in one version. */
const together = 5_000;

/** The versions of one open note. */
export interface OpenNote {
  readonly note: WatchedNote;
  readonly queue: KeepQueue;
  /** Of its record, as soon as there is one. */
  readonly noteId: { value: string | null };
  /** Who wrote since it was kept last. */
  authors(): VersionAuthor[];
  isWrittenBy(runId: string): boolean;
  changing(hand: string): void;
  changed(hand: string): void;
  /** The text that it died with is by those who wrote since its last version. */
  recovered(by: readonly VersionAuthor[]): void;
  /** With what it said until then, which nothing but its window may have. */
  deleted(look: Look): void;
  /** Its file is there again. */
  back(): void;
  /** It was not gone but on its way. */
  moved(): void;
  /** What is not kept yet, for those who wrote it; who writes next begins anew. */
  keep(): void;
  close(): void;
}

interface OpenNoteState {
  /** Who wrote since it was kept last, by a key of theirs. */
  readonly hands: Map<string, VersionAuthor>;
  /** Runs whose beginning was kept. */
  readonly begun: Set<string>;
  cause: VersionCause;
  isChanged: boolean;
  /** Its file is gone. */
  isDeleted: boolean;
  keptAt: number;
  cancelTimer: (() => void) | null;
}

/** One closure, since whatever happens to a note decides together with what happened before when its text is kept, and for whom. */
export function createOpenNote({
  note,
  queue,
  hands,
  clock,
  interval,
  guarded,
}: {
  note: WatchedNote;
  queue: KeepQueue;
  hands: Hands;
  clock: Clock;
  interval: () => number;
  /** History may fail, a note may not. */
  guarded: (work: () => void) => void;
}): OpenNote {
  const noteId: { value: string | null } = { value: null };
  const state: OpenNoteState = {
    hands: new Map(),
    begun: new Set(),
    cause: 'found',
    isChanged: true,
    isDeleted: false,
    keptAt: Number.NEGATIVE_INFINITY,
    cancelTimer: null,
  };

  function keep(): void {
    state.cancelTimer?.();
    state.cancelTimer = null;
    if (state.isChanged) {
      queue.keep({
        path: note.path,
        text: note.text(),
        by: [...state.hands.values()].map(hands.asEnded),
        cause: state.cause,
        at: clock.now(),
        seen: null,
        note: noteId,
        isGone: state.isDeleted,
      });
      state.isChanged = false;
      state.keptAt = clock.now();
    }
    state.hands.clear();
  }

  return {
    note,
    queue,
    noteId,
    authors: () => [...state.hands.values()],
    isWrittenBy: (runId) => state.hands.has(runId),
    changing(hand) {
      const key = hands.keyOf(hand);
      if (state.hands.has(key) && isQuick(hand)) return;
      const run = hands.runOf(hand);
      const isRun = run !== undefined;
      // What a note that was just opened says anew is by the answer that an app that died was writing there.
      const isLeft = isRun && run.finishedAt !== null && state.cause === 'found';
      const begins = isRun && !state.begun.has(hand);
      if (isRun) state.begun.add(hand);
      const isTogether = clock.now() - state.keptAt < together && state.hands.size > 0 && !begins;
      if (!isLeft && (!isTogether || !isQuick(hand))) keep();
      // What is taken from disk is there.
      const isBack = hand === 'disk' && state.isDeleted;
      if (isBack) state.isDeleted = false;
      state.cause = isBack || hand.startsWith(restoringHand) ? 'restored' : 'changed';
      for (const [at, author] of hands.authorsOf(hand, note.path).entries())
        state.hands.set(at === 0 ? key : `${key} ${at}`, author);
    },
    changed(hand) {
      state.isChanged = true;
      if (!isQuick(hand)) return keep();
      state.cancelTimer ??= clock.after(interval(), () => {
        state.cancelTimer = null;
        guarded(keep);
      });
    },
    recovered(by) {
      state.cause = 'changed';
      for (const [at, author] of by.entries()) state.hands.set(`left ${at}`, author);
      keep();
    },
    deleted({ at, by }) {
      keep();
      state.isDeleted = true;
      const { path } = note;
      queue.add((list) => {
        const record = (noteId.value === null ? undefined : list.byId(noteId.value)) ?? list.at(path);
        return record ? goneRecords(list, { note: record.note, path }, at, by) : [];
      });
    },
    back() {
      if (!state.isDeleted) return;
      state.isDeleted = false;
      state.isChanged = true;
      state.cause = 'restored';
      if (state.hands.size === 0) state.hands.set('you', { kind: 'you' });
      keep();
    },
    moved() {
      state.isDeleted = false;
    },
    keep,
    close: () => state.cancelTimer?.(),
  };
}
