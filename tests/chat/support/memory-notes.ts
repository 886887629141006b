import { ChangeSet, Text } from '@codemirror/state';
import { insertedByOthers, type NoteSession, type Notes } from '../../../src/core/notes';

export interface MemorySession extends NoteSession {
  readonly edits: { clientId: string; at: number }[];
  /** From now on every edit throws. */
  breakWith(error: Error): void;
}

/** Open notes in memory: the door of core/notes with nothing behind it. */
export function createMemoryNotes(files: Record<string, string>, now: () => number = Date.now) {
  const sessions = new Map<string, MemorySession>();
  let holds = 0;
  const sessionOf = (path: string) => {
    const known = sessions.get(path);
    if (known) return known;
    const made = createMemorySession(path, files[path] ?? '', now);
    sessions.set(path, made);
    return made;
  };
  const unused = () => Promise.reject(new Error('not used here'));
  const notes: Notes = {
    hold(path) {
      holds++;
      return Promise.resolve({ session: sessionOf(path), release: () => void holds-- });
    },
    opened: (path) => sessions.get(path),
    follow: () => {
      throw new Error('not used here');
    },
    push: unused,
    keep: () => null,
    get recovery(): never {
      throw new Error('not used here');
    },
    save: unused,
    leftOpen: () => [],
    recover: () => Promise.resolve([]),
    leaveVault: () => Promise.resolve(),
    entered: () => Promise.resolve(),
    reviewJournals: () => undefined,
    close: () => Promise.resolve(),
  };
  return { notes, session: sessionOf, held: () => holds };
}

export function createMemorySession(path: string, text: string, now: () => number): MemorySession {
  let doc = Text.of(text.split('\n'));
  let broken: Error | null = null;
  const changes: ChangeSet[] = [];
  const anchors = new Set<{ offset: number; side: -1 | 1 }>();
  const edits: MemorySession['edits'] = [];
  return {
    path,
    sessionId: 'memory',
    get version() {
      return changes.length;
    },
    edits,
    text: () => doc.toString(),
    slice: (from, to) => doc.sliceString(from, to),
    mapFrom: (version, offset, side) =>
      changes.slice(version).reduce((at, change) => change.mapPos(at, side), offset),
    lastBy: () => null,
    insertedSince: (version, hand) =>
      insertedByOthers(
        changes.slice(version).map((each, index) => ({
          clientId: edits[version + index]?.clientId ?? '',
          changes: each,
        })),
        hand,
      ),
    anchor(offset, side) {
      const anchor = { offset, side };
      anchors.add(anchor);
      return { position: () => anchor.offset, release: () => void anchors.delete(anchor) };
    },
    edit(clientId, { from, to = from, insert }) {
      if (broken) throw broken;
      const change = ChangeSet.of({ from, to, insert }, doc.length);
      doc = change.apply(doc);
      changes.push(change);
      edits.push({ clientId, at: now() });
      for (const anchor of anchors) anchor.offset = change.mapPos(anchor.offset, anchor.side);
    },
    apply: () => {
      throw new Error('Nothing in a conversation is applied.');
    },
    replace: () => {
      throw new Error('Nothing in a conversation is replaced.');
    },
    keepSaving: () => () => undefined,
    save: () => Promise.resolve({ kind: 'saved', at: 0 }),
    saveState: () => ({ kind: 'saved', at: 0 }),
    breakWith(error) {
      broken = error;
    },
  };
}
