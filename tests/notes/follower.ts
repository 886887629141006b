import { collab, getSyncedVersion, receiveUpdates, sendableUpdates } from '@codemirror/collab';
import { ChangeSet, EditorState } from '@codemirror/state';
import type { NoteEvent, NoteUpdate } from '../../src/contract/notes';
import type { Notes } from '../../src/core/notes';

/** What a follower needs of the core, whatever is between them. */
export type NotesWire = Pick<Notes, 'follow' | 'push'>;

/** An editor without a face: types at once, sends in the background, as a window does. */
export interface Follower {
  readonly state: EditorState;
  readonly sessionId: string | null;
  readonly events: readonly NoteEvent[];
  text(): string;
  type(from: number, to: number, insert: string): void;
  /** Resolves when this is true; looked at after each event and each acknowledgement. */
  until(condition: () => boolean): Promise<void>;
  hasUnsent(): boolean;
  /** Drops the wire, as a reload of the socket would; `connect` joins again. */
  disconnect(): void;
  connect(wire: NotesWire): void;
}

export function createFollower(path: string, clientID: string): Follower {
  let state: EditorState = EditorState.create({ extensions: [collab({ clientID })] });
  let sessionId: string | null = null;
  let wire: NotesWire | null = null;
  let ending = new AbortController();
  let pushing = false;
  const events: NoteEvent[] = [];
  const waiting = new Set<() => void>();

  const looked = () => {
    for (const look of [...waiting]) look();
  };

  function receive(updates: readonly NoteUpdate[]): void {
    state = receiveUpdates(
      state,
      updates.map(({ clientId, changes }) => ({ clientID: clientId, changes: ChangeSet.fromJSON(changes) })),
    ).state;
  }

  function take(event: NoteEvent): void {
    events.push(event);
    if (event.kind === 'opened') {
      const unsent = sendableUpdates(state).map(({ changes }) => changes);
      const carried = unsent.length === 0 ? null : unsent.reduce((all, changes) => all.compose(changes));
      // Only where the text is still the one that they were made in; anything else would be a loss.
      if (carried && carried.length !== event.text.length) throw new Error('A new text over unsent ones.');
      sessionId = event.sessionId;
      state = EditorState.create({
        doc: event.text,
        extensions: [collab({ startVersion: event.version, clientID })],
      });
      if (carried) state = state.update({ changes: carried }).state;
    } else if (event.kind === 'rejoined' || event.kind === 'updates') receive(event.updates);
    if (event.kind === 'opened' || event.kind === 'rejoined') pushing = false;
    void push();
    looked();
  }

  async function push(): Promise<void> {
    const [target, signal, session] = [wire, ending.signal, sessionId];
    const unsent = sendableUpdates(state);
    if (pushing || !target || session === null || unsent.length === 0) return;
    pushing = true;
    try {
      const updates = unsent.map(({ clientID: clientId, changes }) => ({
        clientId,
        changes: changes.toJSON(),
      }));
      await target.push(path, session, getSyncedVersion(state), updates);
    } catch (error) {
      if (!signal.aborted) throw error;
      return;
    }
    if (signal.aborted) return;
    pushing = false;
    looked();
    // Once more only when what was sent has come back: until then it would be sent twice.
    if (sendableUpdates(state).length > 0) setImmediate(() => void push());
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
    hasUnsent: () => sendableUpdates(state).length > 0,
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
      const seen = sessionId === null ? null : { sessionId, version: getSyncedVersion(state) };
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
