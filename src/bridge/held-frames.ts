import type { ClientFrame } from './frames';
import { watchStandstill } from './stood-still';

/** Frames. A page has a few under way; it comes again where it had more. */
const mostHeld = 10_000;

/** Holds back what came while this process stood still, until its client says that it still stands. */
export interface HeldFrames {
  /** False: too many wait already. */
  received(frame: ClientFrame): boolean;
  close(): void;
}

export function createHeldFrames(parts: {
  /** Asks the client whether what it sent still stands; it answers with `stands`. */
  readonly ask: () => void;
  readonly take: (frame: ClientFrame) => void;
}): HeldFrames {
  const watch = watchStandstill();
  /** Null: it did not stand still. */
  let heldFrames: ClientFrame[] | null = null;
  /** How often the client was asked without an answer so far. */
  let openQuestions = 0;

  /** Whoever asked may have given it up long ago, and then it is not done now, behind their back. */
  function takeHeld(): void {
    const frames = heldFrames ?? [];
    heldFrames = null;
    const cancelled = new Set(frames.flatMap((frame) => (frame.t === 'cancel' ? [frame.id] : [])));
    for (const frame of frames) {
      const begins = frame.t === 'call' || frame.t === 'open';
      if (!begins || !cancelled.has(frame.id)) parts.take(frame);
    }
  }

  /** One that was given before it stood still again says nothing of what came since. */
  function stands(): void {
    openQuestions = Math.max(0, openQuestions - 1);
    if (openQuestions === 0) takeHeld();
  }

  return {
    received(frame) {
      if (watch.stoodStill()) {
        heldFrames ??= [];
        openQuestions++;
        parts.ask();
      }
      if (frame.t === 'stands') stands();
      else if (!heldFrames) parts.take(frame);
      else if (heldFrames.length >= mostHeld) return false;
      else heldFrames.push(frame);
      return true;
    },
    close: watch.close,
  };
}
