import type { NoteEvent, NoteUpdate, SeenState } from '../../../../contract/notes';
import { createFrameInbox } from './frame-inbox';

export interface NoteStreamParts {
  open(state: SeenState | null, signal: AbortSignal): AsyncIterable<NoteEvent>;
  /** Once it is aborted nothing is opened or told any more. */
  readonly closing: AbortSignal;
  isHeld(updates: readonly NoteUpdate[]): boolean;
  onUpdates(updates: NoteUpdate[]): void;
  onEvent(event: Exclude<NoteEvent, { kind: 'updates' }>): void;
  /** What it returns is waited for before the next try. */
  onFailure(error: unknown): Promise<void> | undefined;
  /** It ended, and some time has passed: it is to be followed again. */
  onRetry(): void;
}

/** Milliseconds before it is tried again, the first time and after more and more failures. */
export const retryAfter = [100, 250, 500, 1000, 2000] as const;
const holdMs = 20;

/** What the core tells of a note: one stream at a time, and after one that ended the next. */
export interface NoteStream {
  /** Ends the one before. */
  follow(seen: SeenState | null): Promise<void>;
  /** The one that is read now, or was last. */
  current(): AbortController;
  /** The next failure is the first one. */
  succeeded(): void;
}

export function createNoteStream(parts: NoteStreamParts): NoteStream {
  const { closing } = parts;
  let following = new AbortController();
  let failures = 0;

  async function follow(state: SeenState | null): Promise<void> {
    following.abort();
    const own = new AbortController();
    following = own;
    const isOver = () => own.signal.aborted || closing.aborted;
    const inbox = createFrameInbox(parts.onUpdates, parts.isHeld);
    try {
      for await (const event of parts.open(state, AbortSignal.any([own.signal, closing]))) {
        if (event.kind === 'updates') {
          inbox.add(event.updates);
        } else {
          while (inbox.isHeld()) await new Promise((resolve) => setTimeout(resolve, holdMs));
          inbox.flush();
          parts.onEvent(event);
        }
      }
    } catch (error) {
      if (isOver()) return;
      const handled = parts.onFailure(error);
      if (handled !== undefined) await handled;
    } finally {
      inbox.close();
    }
    if (isOver()) return;
    const delay = retryAfter[Math.min(failures++, retryAfter.length - 1)];
    setTimeout(() => {
      if (!isOver()) parts.onRetry();
    }, delay);
  }

  return {
    follow,
    current: () => following,
    succeeded() {
      failures = 0;
    },
  };
}
