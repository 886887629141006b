import { create } from 'zustand';
import type { SaveState } from '../../../../contract/notes';

/** What the editor of an open note tells the rest of the feature. */
export interface OpenNote {
  readonly ready: boolean;
  readonly readOnly: boolean;
  readonly save: SaveState | null;
  readonly problem: string | null;
  /** Where in the settings the problem can be settled; by the connection, and by writing on in the note, it is by itself. */
  readonly settledIn: SettledIn | null;
  readonly conflict: string | null;
  /** Who moved it last, where nobody here did. */
  readonly movedBy: 'others' | null;
  /** Counts up a moment after the text or the cursor has changed. */
  readonly touched: number;
  readonly editor: EditorHandle | null;
}

export type SettledIn = 'providers' | 'agents' | 'connection' | 'writing' | 'answer';

export interface EditorHandle {
  text(): string;
  /** The cursor and the version that it is meant at, once everything typed has reached the core. */
  place(signal: AbortSignal): Promise<{ at: number; version: number }>;
  goTo(at: number): void;
}

const fresh: OpenNote = {
  ready: false,
  readOnly: false,
  save: null,
  problem: null,
  settledIn: null,
  conflict: null,
  movedBy: null,
  touched: 0,
  editor: null,
};

interface OpenNotes {
  readonly notes: ReadonlyMap<string, OpenNote>;
  /** Who is to answer in a note, by tag; absent: the note's own or the default. */
  readonly answerers: ReadonlyMap<string, string>;
  change(path: string, changes: Partial<OpenNote>): void;
  /** All that is known of the note goes with it. */
  moved(from: string, to: string): void;
  close(path: string): void;
  setAnswerer(path: string, tag: string | null): void;
}

function rekeyed<T>(map: ReadonlyMap<string, T>, from: string, to: string): ReadonlyMap<string, T> {
  const next = new Map(map);
  const value = next.get(from);
  if (value === undefined) return map;
  next.delete(from);
  return next.set(to, value);
}

export const useOpenNotes = create<OpenNotes>((set) => ({
  notes: new Map(),
  answerers: new Map(),
  change: (path, changes) =>
    set(({ notes }) => ({ notes: new Map(notes).set(path, { ...fresh, ...notes.get(path), ...changes }) })),
  moved: (from, to) =>
    set(({ notes, answerers }) => ({
      notes: rekeyed(notes, from, to),
      answerers: rekeyed(answerers, from, to),
    })),
  close: (path) =>
    set(({ notes }) => {
      const left = new Map(notes);
      left.delete(path);
      return { notes: left };
    }),
  setAnswerer: (path, tag) =>
    set(({ answerers }) => {
      const next = new Map(answerers);
      if (tag === null) next.delete(path);
      else next.set(path, tag);
      return { answerers: next };
    }),
}));

export const useOpenNote = (path: string): OpenNote => useOpenNotes(({ notes }) => notes.get(path)) ?? fresh;
