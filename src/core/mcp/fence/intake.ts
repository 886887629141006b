import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/client';
import type { Cause } from '../../../contract/server-faults';
import { longestMessage } from './limits';
import { ProgramError } from './program-error';

interface Rate {
  readonly atOnce: number;
  readonly aSecond: number;
}

/** What no honest server sends in a moment. The answers that were asked for cost no more than their lines. */
const rates = {
  /** Whatever stands on a line or in an event: messages, noise, comments, nothing at all. */
  pieces: { atOnce: 30_000, aSecond: 1_000 },
  bytes: { atOnce: 2 * longestMessage, aSecond: 1024 * 1024 },
  /** What makes work: a request is answered and counts twice. */
  work: { atOnce: 500, aSecond: 100 },
} satisfies Record<string, Rate>;
const costs = { request: 2, news: 1 };
/** Of all its streams together, before a message of any is whole. */
const mostHeld = 2 * longestMessage;

/** Progress and words for the log cost little: they are lines like others. */
const chatter = new Set(['notifications/progress', 'notifications/message']);

/**
 * The one allowance of a connection: everything that comes is counted here, whatever it is and whichever way it came. Once it is
 * used up nothing is read any more.
 */
export interface Intake {
  /** A line or an event of any kind. Throws where it was one too many. */
  take(bytes: number): void;
  /** A message by what it makes us do. Throws where it was one too many. */
  message(message: JSONRPCMessage, bytes: number): void;
  /** What is kept of an unfinished message; less than nothing lets go of it. Throws where it is too much. */
  hold(bytes: number): void;
  /** Something came after which there is no going on. */
  fail(error: ProgramError): void;
  /** Nothing more is wanted, for whatever reason. */
  end(): void;
  /** Throws once nothing more is wanted. */
  check(): void;
  readonly isOver: boolean;
  /** Whether this answer is waited for. */
  awaits: (id: RequestId) => boolean;
  /** Told once. */
  onOver: (error: ProgramError) => void;
}

export function createIntake(): Intake {
  const allowances = {
    pieces: createBucket(rates.pieces),
    bytes: createBucket(rates.bytes),
    work: createBucket(rates.work),
  };
  let heldBytes = 0;
  let over: ProgramError | null = null;

  function refuse(what: Extract<Cause, { code: 'too-much' }>['what']): never {
    over = new ProgramError({ code: 'too-much', what });
    intake.onOver(over);
    throw over;
  }

  function check(): void {
    if (over !== null) throw over;
  }

  const intake: Intake = {
    check,
    get isOver() {
      return over !== null;
    },
    take(bytes) {
      check();
      if (!allowances.pieces.spend(1)) refuse('pieces');
      if (!allowances.bytes.spend(bytes)) refuse('bytes');
    },
    message(message, bytes) {
      check();
      if (!allowances.pieces.spend(1)) refuse('pieces');
      const isAnswer = !('method' in message);
      // An error without an id is about a request that could not be read.
      if (isAnswer && message.id !== undefined && intake.awaits(message.id)) return;
      if (!allowances.bytes.spend(bytes)) refuse('bytes');
      if (!isAnswer && chatter.has(message.method)) return;
      if (!allowances.work.spend('id' in message && !isAnswer ? costs.request : costs.news)) refuse('work');
    },
    hold(bytes) {
      heldBytes += bytes;
      if (bytes > 0) check();
      if (heldBytes > mostHeld) refuse('unfinished');
    },
    fail(error) {
      if (over !== null) return;
      over = error;
      intake.onOver(error);
    },
    end() {
      over ??= new ProgramError({ code: 'not-read' });
    },
    awaits: () => false,
    onOver: () => undefined,
  };
  return intake;
}

function createBucket({ atOnce, aSecond }: Rate) {
  let balance = atOnce;
  let at = performance.now();
  return {
    /** False where there was not enough. */
    spend(cost: number): boolean {
      const now = performance.now();
      balance = Math.min(atOnce, balance + ((now - at) / 1_000) * aSecond) - cost;
      at = now;
      return balance >= 0;
    },
  };
}
