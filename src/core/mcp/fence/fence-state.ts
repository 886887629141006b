import type { RequestId, Transport } from '@modelcontextprotocol/client';
import { type Cause, faultWords } from '../../../contract/server-faults';
import { failedRequest } from './failed-request';
import type { Hiding } from './hiding';
import type { PendingRequests } from './pending-requests';
import { ProgramError } from './program-error';
import type { TellingTransport } from './read-message';

/** Broken messages that a connection survives within a minute. */
const most = { strikes: 100, withinMs: 60_000, reports: 5 };

/** What all sides of one fence share: whatever comes, goes out or ends decides about the same requests. */
export interface FenceState {
  readonly transport: TellingTransport;
  /** What the transport does without the fence. */
  readonly inner: Pick<Transport, 'start' | 'send' | 'close'>;
  /** Of whoever uses the transport. */
  readonly listeners: Pick<Transport, 'onmessage' | 'onerror' | 'onclose'>;
  readonly requests: PendingRequests;
  readonly hiding: Hiding;
  /** What had to be left out; the first ones only. */
  onLeftOut(text: string): void;
  hasStarted: boolean;
  /** Nothing more is let in. */
  hasEnded: boolean;
  /** What went wrong last, or for good: a stream that ends then, and a start that is given up, have it as their reason. */
  trouble: Error | null;
  /** When the newest broken messages came, `most.strikes` at most. */
  strikes: number[];
  reports: number;
}

/** Calls a listener; what it throws is a strike like a broken message. */
export function safely(state: FenceState, listener: () => void): void {
  try {
    listener();
  } catch (error) {
    strike(state, { code: 'not-handled', text: error instanceof Error ? error.message : String(error) });
  }
}

/** Something was left out; one too many of these ends the connection. */
export function strike(state: FenceState, fault: Cause): void {
  if (state.hasEnded) return;
  if (state.reports++ < most.reports) state.onLeftOut(faultWords(fault));
  const now = performance.now();
  state.strikes = [...state.strikes.filter((at) => at > now - most.withinMs), now];
  if (state.strikes.length < most.strikes) return;
  end(state, new ProgramError({ code: 'broken', count: most.strikes, last: fault }));
}

/** There is no going on after this. */
export function end(state: FenceState, error: Error): void {
  if (state.hasEnded) return;
  state.hasEnded = true;
  state.trouble = error;
  state.transport.intake.end();
  safely(state, () => state.listeners.onerror?.(error));
  void state.transport.close();
}

/** Answers a request in the server's place. */
export function failRequest(state: FenceState, id: RequestId, cause: Error): void {
  if (!state.requests.delete(id)) return;
  safely(state, () => state.listeners.onmessage?.(failedRequest(id, cause)));
}

/** Rejects with the error, without what is secret in it. */
export function rejectHidden({ hiding }: FenceState, error: unknown): never {
  throw error instanceof Error ? hiding.error(error) : error;
}
