import { type Text, Transaction } from '@codemirror/state';
import type { NoteVault, SeenState } from '../../../../contract/notes';
import type { Outbox, PushRequest } from './outbox';
import { createSinceSaved, type SinceSaved } from './since-saved';
import { join, type StateHolder, seenVersion } from './unconfirmed';
import type { Arrival } from './writing-place';

/** What a follower does next is always one of the first two. */
export interface FollowerParts {
  readonly editor: StateHolder;
  readonly clientId: string;
  /** Ask the core to follow; its events come back by `opened`, `rejoined` and `updates`. */
  follow(state: SeenState | null): void;
  /** Answered by `acknowledged` or `refused` with the same attempt, or by `lost`. */
  push(request: PushRequest): void;
  /** The note is another one now; `text` is what stood here, with changes that were never confirmed. */
  onStranded?(text: string): void;
  /** Other hands wrote; called after their text stands in the editor. */
  onArrival?(arrivals: readonly Arrival[]): void;
}

/** As the window saw it last. */
export interface FollowedSession {
  readonly id: string;
  epoch: string | undefined;
  file: string | undefined;
  vault: NoteVault | undefined;
  confirmed: Text;
  sinceSaved: SinceSaved;
}

export interface Follower {
  readonly parts: FollowerParts;
  readonly outbox: Outbox;
  /** Null before the first one. */
  session: FollowedSession | null;
  /** Whether the core takes what is written here. */
  isJoined: boolean;
}

export const quietly = [Transaction.addToHistory.of(false), Transaction.remote.of(true)];

export const seenOf = (editor: StateHolder, session: FollowedSession): SeenState => {
  const { id, epoch, file, vault } = session;
  return {
    sessionId: id,
    version: seenVersion(editor.state),
    ...(epoch !== undefined && { epoch }),
    ...(file !== undefined && { file }),
    ...(vault && { vault }),
  };
};

/** From here on the editor shows this session, with this text. `since`: what led to the text after the last save. */
export function enter(
  follower: Follower,
  { sessionId, version, epoch, file, vault }: SeenState,
  text: Text,
  since?: SinceSaved,
): void {
  const { parts, outbox } = follower;
  const sinceSaved = since ?? createSinceSaved(version, text);
  follower.session = { id: sessionId, epoch, file, vault, confirmed: text, sinceSaved };
  follower.isJoined = true;
  outbox.forget();
  outbox.setSent(0);
  parts.editor.dispatch({ effects: join(version, parts.clientId) });
}

/** It is followed anew from what was seen last. */
export function followAgain(follower: Follower): void {
  const { parts, session } = follower;
  follower.isJoined = false;
  follower.outbox.forget();
  parts.follow(session && seenOf(parts.editor, session));
}
