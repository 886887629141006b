import type { Json } from '../../../contract/json';
import type { SaveState } from '../../../contract/notes';
import { printInTurns } from '../../../files';
import type { Observable } from '../../foundation';
import { printPieces } from '../text/line-ends';
import type { NoteText } from '../text/note-text';
import type { NotesObserver, WatchedNote } from './observer';

/** What the observer of the notes hears of one session, and what it wants to know of it again after a crash. */
export interface Watched {
  readonly observed: Json;
  /** Whether the observer says something else than before. */
  changing(hand: string): boolean;
  changed(hand: string): void;
  /** Tells the observer what it had said before the app died. */
  recovered(observed: Json): void;
  /** Resolves when the journal may go. `isReplaced`: another note has its place. */
  ended(isReplaced: boolean): Promise<void>;
}

export function createWatched({
  sessionId,
  place,
  note,
  save,
  observer,
}: {
  sessionId: string;
  place: { readonly path: string };
  note: NoteText;
  save: Observable<SaveState>;
  observer: NotesObserver | null;
}): Watched {
  let observed: Json = null;
  const watchedNote: WatchedNote = {
    sessionId,
    get path() {
      return place.path;
    },
    text() {
      const { doc, ends } = note;
      return { length: doc.length, print: () => printInTurns(printPieces(doc, ends)) };
    },
  };

  let isDeleted = false;
  save.onChange((state) => {
    const wasDeleted = isDeleted;
    // One that is elsewhere is not gone; and whether one that cannot be saved is there nobody knows.
    if (state.kind === 'deleted') isDeleted = state.movedTo === undefined;
    else if (state.kind === 'saved' || state.kind === 'unsaved') isDeleted = false;
    if (isDeleted !== wasDeleted) observer?.deleted(watchedNote, isDeleted);
  });

  return {
    get observed() {
      return observed;
    },
    changing(hand) {
      const before = JSON.stringify(observed);
      observed = observer?.changing(watchedNote, hand) ?? null;
      return JSON.stringify(observed) !== before;
    },
    changed: (hand) => observer?.changed(watchedNote, hand),
    recovered(former) {
      observed = former;
      observer?.recovered(watchedNote, former);
    },
    async ended(isReplaced) {
      const end = save.get().kind === 'deleted' ? 'deleted' : 'closed';
      await observer?.closed(watchedNote, isReplaced ? 'replaced' : end);
    },
  };
}
