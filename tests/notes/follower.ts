import { ChangeSet, EditorState } from '@codemirror/state';
import type { NoteEvent, NoteUpdate } from '../../src/contract/notes';
import type { Notes } from '../../src/core/notes';
import {
  join,
  receive,
  seenVersion,
  unconfirmed,
  unconfirmedChanges,
} from '../../src/renderer/features/note/sync/unconfirmed';

/** What a follower needs of the core, whatever is between them. */
export type NotesWire = Pick<Notes, 'follow' | 'push'>;

/** An editor without a face: types at once, sends in the background, as a window does. */
export interface Follower {
  readonly state: EditorState;
  readonly sessionId: string | null;
  readonly events: readonly NoteEvent[];
  text(): string;
  /** The last one that it received. */
  version(): number;
  type(from: number, to: number, insert: string): void;
  /** Resolves when this is true; looked at after each event and each acknowledgement. */
  until(condition: () => boolean): Promise<void>;
  hasUnsent(): boolean;
  /** Drops the wire, as a reload of the socket would; `connect` joins again. */
  disconnect(): void;
  connect(wire: NotesWire): void;
}

export function createFollower(path: string, clientID: string): Follower {
  const joined = (doc: string, version: number): EditorState =>
    EditorState.create({ doc, extensions: unconfirmedChanges }).update({ effects: join(version, clientID) })
      .state;
  let state = joined('', 0);
  let sessionId: string | null = null;
  let file: string | undefined;
  let wire: NotesWire | null = null;
  let ending = new AbortController();
  let pushing = false;
  const events: NoteEvent[] = [];
  const waiting = new Set<() => void>();

  const looked = () => {
    for (const look of [...waiting]) look();
  };

  function hear(updates: readonly NoteUpdate[]): void {
    const heard = updates.map((update) => ({ ...update, changes: ChangeSet.fromJSON(update.changes) }));
    state = state.update(receive(state, heard)).state;
  }

  function take(event: NoteEvent): void {
    events.push(event);
    if ('file' in event) file = event.file ?? file;
    if (event.kind === 'opened') {
      const unsent = unconfirmed(state).map(({ changes }) => changes);
      const carried = unsent.length === 0 ? null : unsent.reduce((all, changes) => all.compose(changes));
      // Only where the text is still the one that they were made in; anything else would be a loss.
      if (carried && carried.length !== event.text.length) throw new Error('A new text over unsent ones.');
      sessionId = event.sessionId;
      state = joined(event.text, event.version);
      if (carried) state = state.update({ changes: carried }).state;
    } else if (event.kind === 'rejoined' || event.kind === 'updates') hear(event.updates);
    if (event.kind === 'opened' || event.kind === 'rejoined') pushing = false;
    void push();
    looked();
  }

  async function push(): Promise<void> {
    const [target, signal, session] = [wire, ending.signal, sessionId];
    const unsent = unconfirmed(state);
    if (pushing || !target || session === null || unsent.length === 0) return;
    pushing = true;
    try {
      const updates = unsent.map(({ clientId, changes, goesOn }) => ({
        clientId,
        changes: changes.toJSON(),
        ...(goesOn && { goesOn }),
      }));
      await target.push(path, session, seenVersion(state), updates);
    } catch (error) {
      if (!signal.aborted) throw error;
      return;
    }
    if (signal.aborted) return;
    pushing = false;
    looked();
    // Once more only when what was sent has come back: until then it would be sent twice.
    if (unconfirmed(state).length > 0) setImmediate(() => void push());
  }

  return {
    get state() {
      return state;
    },
    get sessionId() {
      return sessionId;
    },
    events,
    text: () => state.doc.toString(),
    version: () => seenVersion(state),
    type(from, to, insert) {
      state = state.update({ changes: { from, to, insert } }).state;
      void push();
    },
    until: (condition) =>
      new Promise((resolve) => {
        const look = () => {
          if (!condition()) return;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
      }),
    hasUnsent: () => unconfirmed(state).length > 0,
    disconnect() {
      ending.abort();
      wire = null;
    },
    connect(next) {
      ending.abort();
      ending = new AbortController();
      wire = next;
      const { signal } = ending;
      // Nothing is sent before it is known what was missed.
      pushing = true;
      const seen =
        sessionId === null ? null : { sessionId, version: seenVersion(state), ...(file && { file }) };
      void (async () => {
        for await (const event of next.follow(path, seen, signal)) {
          if (signal.aborted) return;
          take(event);
        }
      })().catch((error: unknown) => {
        if (!signal.aborted) throw error;
      });
    },
  };
}
