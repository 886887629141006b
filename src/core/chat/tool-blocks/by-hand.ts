import { randomUUID } from 'node:crypto';
import type { ToolCallout } from '../../../markdown';
import type { NoteSession, Notes } from '../../notes';
import type { NoteReading } from '../note/note-reading';
import type { Runs } from '../note/runs';
import type { WrittenWords } from '../note/written-words';
import type { CallParts } from './calls';
import { showLoneCall } from './lone-call';
import { refuseChange, refuseOther, refuseTwice, runWritten, writtenCall } from './written-call';

/** A call that a person wanted once more was not made. */
export interface NotRunAgain {
  readonly note: string;
  readonly server: string;
  readonly tool: string;
  readonly reason: string;
}

/** `call`: the call that the person was shown there; any other is refused. */
export interface BlockPlace {
  readonly path: string;
  readonly at: number;
  readonly version: number;
  readonly call?: Pick<ToolCallout, 'server' | 'tool' | 'arguments'>;
}

/** Calls that a person makes in notes. */
export interface BlocksByHand {
  /** Whether one is under way in this note. */
  isRunning(session: NoteSession): boolean;
  /** `finished` never rejects. */
  run(place: BlockPlace): Promise<{ callId: string; finished: Promise<void> }>;
}

export function createBlocksByHand(
  parts: CallParts & {
    readonly notes: Pick<Notes, 'hold'>;
    readonly runs: Runs;
    readonly reading: NoteReading;
    readonly writtenWords: Pick<WrittenWords, 'keep' | 'of'>;
    readonly onNotRunAgain?: (call: NotRunAgain) => void;
    /** Nothing runs in this note: what stands there as running was left. */
    readonly recoverIn: (session: NoteSession) => void;
  },
): BlocksByHand {
  const { notes, runs, reading, clock, log } = parts;
  /** How many are under way, by note. */
  const running = new Map<NoteSession, number>();

  return {
    isRunning: (session) => running.has(session),
    async run(place) {
      const { session, release } = await notes.hold(place.path);
      const callId = randomUUID();
      try {
        if (!running.has(session) && !runs.isLive(session)) parts.recoverIn(session);
        const conversation = reading.parse(session.text());
        const call = writtenCall(conversation, session.mapFrom(place.version, place.at, 1));
        if (place.call) refuseOther(call, place.call);
        refuseTwice(session, call);
        refuseChange(session, call);
        const { server, tool } = call;
        const { path } = session;
        const lone = showLoneCall({ runs, clock }, { callId, path, server, tool, startedAt: clock.now() });
        running.set(session, (running.get(session) ?? 0) + 1);
        const endSaving = session.keepSaving();
        const onRefused = (reason: string) =>
          parts.onNotRunAgain?.({ note: session.path, server, tool, reason });
        const { signal, onStep } = lone;
        const tags = reading.tags([]);
        const finished = runWritten(
          call,
          { session, conversation, tags, callId, signal, onStep, onRefused },
          parts,
        )
          .catch((error: unknown) => log.warn('block not run', { path: session.path, error }))
          .finally(() => {
            const remaining = (running.get(session) ?? 1) - 1;
            if (remaining > 0) running.set(session, remaining);
            else running.delete(session);
            lone.end();
            endSaving();
            release();
          });
        return { callId, finished };
      } catch (error) {
        release();
        throw error;
      }
    },
  };
}
