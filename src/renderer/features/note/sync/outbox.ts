import type { NoteUpdate, SeenState } from '../../../../contract/notes';
import { updateOf } from './note-updates';
import { type StateHolder, seenVersion, unconfirmed } from './unconfirmed';

export interface PushRequest extends Readonly<SeenState> {
  readonly attempt: number;
  readonly updates: readonly NoteUpdate[];
}

export interface OutboxParts {
  readonly editor: StateHolder;
  readonly clientId: string;
  /** Null: nothing is sent for now. */
  seen(): SeenState | null;
  push(request: PushRequest): void;
}

/**
 * What is typed on its way to the core, one batch at a time: the next is sent once the last was acknowledged and has come
 * back through the stream.
 */
export interface Outbox {
  pushPending(): void;
  /** More has come through the stream: that may end the batch that is on its way. */
  settle(): void;
  acknowledged(attempt: number, version: number): void;
  /** False: another is on its way by now. */
  refused(attempt: number): boolean;
  /** Nobody answers what is on its way. */
  forget(): void;
  /** So many of the unconfirmed changes have been sent in this session, heard of or not. */
  sent(): number;
  setSent(count: number): void;
  /** So many of them are confirmed. */
  confirmed(count: number): void;
}

export function createOutbox({ editor, clientId, seen, push }: OutboxParts): Outbox {
  let lastAttempt = 0;
  let inFlight: { attempt: number; acknowledged: number | null } | null = null;
  let sent = 0;

  function pushPending(): void {
    if (inFlight) return;
    const from = seen();
    if (!from) return;
    const pending = unconfirmed(editor.state);
    if (pending.length === 0) return;
    inFlight = { attempt: ++lastAttempt, acknowledged: null };
    sent = Math.max(sent, pending.length);
    const updates = pending.map((change) => updateOf(change, clientId));
    push({ attempt: lastAttempt, ...from, updates });
  }

  function settle(): void {
    if (inFlight?.acknowledged != null && seenVersion(editor.state) >= inFlight.acknowledged) {
      inFlight = null;
    }
    pushPending();
  }

  return {
    pushPending,
    settle,
    acknowledged(attempt, version) {
      if (inFlight?.attempt !== attempt) return;
      inFlight = { attempt, acknowledged: version };
      settle();
    },
    refused(attempt) {
      if (inFlight?.attempt !== attempt) return false;
      inFlight = null;
      return true;
    },
    forget() {
      inFlight = null;
    },
    sent: () => sent,
    setSent(count) {
      sent = count;
    },
    confirmed(count) {
      sent = Math.max(0, sent - count);
    },
  };
}
