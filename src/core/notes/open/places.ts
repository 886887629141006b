import { isUnder } from '../../../contract/paths';
import type { OpenNote } from './open-note';

/** An open note with those who hold it. */
export interface OpenEntry {
  readonly open: OpenNote;
  holders: number;
  cancelLinger: () => void;
}

/** What stands at a path. Nothing is there for a note that is not open, or is gone. */
export type Place =
  | { readonly kind: 'opening'; readonly opening: Promise<OpenEntry>; readonly onChange: () => void }
  | { readonly kind: 'open'; readonly entry: OpenEntry }
  | { readonly kind: 'closing'; readonly entry: OpenEntry; readonly closed: Promise<void> };

/** A rename or removal by the app: who wants a note there waits until it is known where it is. */
export interface Move {
  readonly paths: readonly string[];
  readonly done: Promise<void>;
}

/** Which open note stands where, and which of these places are about to change. */
export interface Places {
  readonly byPath: Map<string, Place>;
  readonly moves: Set<Move>;
  at(path: string): OpenEntry | undefined;
  /** Those that are open. */
  all(): OpenEntry[];
  bySession(sessionId: string): OpenEntry | undefined;
  moveAt(path: string): Move | undefined;
  /** It ends, or is about to stand elsewhere. */
  leave(entry: OpenEntry): void;
  /** Resolves when nothing is opening or closing in the folder any more. */
  restUnder(folder: string): Promise<void>;
}

export function createPlaces(): Places {
  const byPath = new Map<string, Place>();
  const moves = new Set<Move>();

  const all = () => [...byPath.values()].flatMap((place) => (place.kind === 'open' ? [place.entry] : []));
  const at = (path: string) => {
    const place = byPath.get(path);
    return place?.kind === 'open' ? place.entry : undefined;
  };

  return {
    byPath,
    moves,
    at,
    all,
    bySession: (sessionId) => all().find(({ open }) => open.session.sessionId === sessionId),
    moveAt: (path) => [...moves].find(({ paths }) => paths.some((moved) => isUnder(path, moved))),
    leave(entry) {
      entry.cancelLinger();
      const { path } = entry.open.session;
      if (at(path) === entry) byPath.delete(path);
    },
    async restUnder(folder) {
      for (;;) {
        const busy = [...byPath].flatMap(([path, place]) => {
          if (place.kind === 'open' || !isUnder(path, folder)) return [];
          return [place.kind === 'opening' ? place.opening : place.closed];
        });
        if (busy.length === 0) return;
        await Promise.allSettled(busy);
      }
    },
  };
}
