import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { within } from '../../foundation';
import { type FenceState, rejectHidden, safely } from './fence-state';
import type { Hiding } from './hiding';
import { fenceIncoming } from './incoming';
import { fenceOutgoing } from './outgoing';
import { createPendingRequests } from './pending-requests';
import { ProgramError } from './program-error';
import type { TellingTransport } from './read-message';

const closeMs = 5_000;

export interface FenceParts {
  readonly hiding: Hiding;
  /** Each message before anybody else; null keeps it to itself. */
  intercept(message: JSONRPCMessage): JSONRPCMessage | null;
  /** What had to be left out; the first ones only. */
  onLeftOut(text: string): void;
}

export interface Fence {
  /** When the server last said something that could be read, by `performance.now()`. */
  lastHeard(): number;
}

/**
 * Stands between a transport and the SDK so that nothing a server sends can throw, hang or pile up in the core: every
 * listener is caught, a request whose answer cannot be read or will not come fails at once, only asked-for answers get
 * through, starting and closing end; and nothing that was given to it as a secret comes back. To be called before the transport is connected.
 */
export function putFence(transport: TellingTransport, { hiding, intercept, onLeftOut }: FenceParts): Fence {
  const state: FenceState = {
    transport,
    inner: {
      start: transport.start.bind(transport),
      send: transport.send.bind(transport),
      close: transport.close.bind(transport),
    },
    listeners: {},
    requests: createPendingRequests({ streams: transport.hasPerRequestStream === true }),
    hiding,
    onLeftOut,
    hasStarted: false,
    hasEnded: false,
    trouble: null,
    strikes: [],
    reports: 0,
  };
  const lastHeard = fenceIncoming(state, intercept);
  fenceOutgoing(state);
  fenceEnds(state);
  return { lastHeard };
}

/** Starting ends once closing begins, and closing ends whatever the transport does. */
function fenceEnds(state: FenceState): void {
  const { transport, inner, listeners } = state;
  let closing: Promise<void> | null = null;
  let refuseStart: (error: Error) => void = () => undefined;

  transport.start = () => {
    if (closing !== null) throw stoppedEarly();
    const refusal = new Promise<never>((_resolve, reject) => {
      refuseStart = reject;
    });
    const start = inner.start().then(
      () => {
        state.hasStarted = true;
      },
      (error: unknown) => rejectHidden(state, error),
    );
    return Promise.race([start, refusal]);
  };

  transport.close = () =>
    (closing ??= (async () => {
      transport.intake.end();
      refuseStart(state.trouble ?? stoppedEarly());
      const close = inner.close().catch(() => undefined);
      if (!(await within(close, closeMs))) safely(state, () => listeners.onclose?.());
    })());
}

const stoppedEarly = () => new ProgramError({ code: 'stopped-early' });
