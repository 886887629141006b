import type { NoteUpdate } from '../../contract/notes';
import { joined, type NoteSession, type Place } from '../notes';

/** The hand of nobody: whatever was inserted, others did. */
const nobody = '';

/** Notes whose typing is remembered. */
const mostNotes = 200;

/**
 * Where the person typed, at the top of open notes. What another hand wrote, or put in between, is not theirs; nor are whole lines
 * that come at once, since they were written elsewhere.
 */
export interface TypedPlaces {
  /** Runs a window's change, at once, and tells of what stands there afterwards which is the person's. */
  during<T>(
    session: NoteSession,
    updates: readonly Pick<NoteUpdate, 'changes'>[],
    write: () => T,
  ): { result: T; isPasted: boolean; isTyped(from: number, to: number): boolean };
  forget(isOver: (path: string) => boolean): void;
}

export function createTypedPlaces(longest: number): TypedPlaces {
  const notes = new Map<string, { sessionId: string; version: number; places: readonly Place[] }>();

  /** What the person typed before, as it stands now: whatever others have put into it is taken out. */
  function before(session: NoteSession): readonly Place[] {
    const last = notes.get(session.path);
    if (last?.sessionId !== session.sessionId) return [];
    if (last.version === session.version) return last.places;
    const others = session.insertedSince(last.version, nobody);
    return others === null ? [] : without(mapped(last.places, last.version, session), others);
  }

  return {
    during(session, updates, write) {
      const { path, sessionId, version } = session;
      const places = before(session);
      const result = write();
      const inserted = session.insertedSince(version, nobody) ?? [];
      const previous = mapped(places, version, session);
      const isPasted = linesAtOnce(updates);
      const typed = isPasted ? without(previous, inserted) : [...previous, ...inserted];
      const now = joined(typed).filter(({ from }) => from < longest);
      notes.delete(path);
      notes.set(path, { sessionId, version: session.version, places: now });
      for (const oldest of [...notes.keys()].slice(0, Math.max(0, notes.size - mostNotes)))
        notes.delete(oldest);
      return {
        result,
        isPasted,
        isTyped: (from, to) => now.some((place) => place.from <= from && to <= place.to),
      };
    },
    forget(isOver) {
      for (const path of [...notes.keys()]) if (isOver(path)) notes.delete(path);
    },
  };
}

function mapped(
  places: readonly Place[],
  version: number,
  session: Pick<NoteSession, 'mapFrom'>,
): readonly Place[] {
  try {
    return places.map(({ from, to }) => ({
      from: session.mapFrom(version, from, 1),
      to: session.mapFrom(version, to, -1),
    }));
  } catch {
    return [];
  }
}

function without(places: readonly Place[], others: readonly Place[]): readonly Place[] {
  return others.reduce<readonly Place[]>(
    (rest, other) =>
      rest.flatMap(({ from, to }) => [
        ...(from < Math.min(to, other.from) ? [{ from, to: Math.min(to, other.from) }] : []),
        ...(Math.max(from, other.to) < to ? [{ from: Math.max(from, other.to), to }] : []),
      ]),
    places,
  );
}

/** A change in the wire's form keeps so many characters, or replaces so many by lines. */
function linesAtOnce(updates: readonly Pick<NoteUpdate, 'changes'>[]): boolean {
  return updates.some(
    ({ changes }) =>
      Array.isArray(changes) &&
      changes.some(
        (part) =>
          Array.isArray(part) &&
          part.slice(1).filter((line) => typeof line === 'string' && line.trim() !== '').length > 1,
      ),
  );
}
