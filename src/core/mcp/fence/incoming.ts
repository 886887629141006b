import type { JSONRPCMessage, MessageExtraInfo } from '@modelcontextprotocol/client';
import { end, type FenceState, failRequest, safely, strike } from './fence-state';
import { createLostAnswers } from './lost-answers';
import { BrokenMessage } from './read-message';
import { withShortWords } from './said-words';

/** An error without an id that is about a request all the same (JSON-RPC 2.0): it could not be parsed, or was none. */
const unreadCodes = new Set([-32_700, -32_600]);

/**
 * Everything that comes from the server: only answers that are waited for get through, and where one cannot be read its
 * request fails. Gives when something last came that could be read.
 */
export function fenceIncoming(
  state: FenceState,
  intercept: (message: JSONRPCMessage) => JSONRPCMessage | null,
): () => number {
  const { transport, listeners, requests, hiding } = state;
  const lost = createLostAnswers(requests, (id, cause) => failRequest(state, id, cause));
  let heardAt = performance.now();

  /** The answer with the id of its request; null: nobody waits for it. */
  function answerOf(message: Extract<JSONRPCMessage, { result: unknown } | { error: unknown }>) {
    if (message.id === undefined) {
      if ('error' in message && unreadCodes.has(message.error.code))
        lost.add(new BrokenMessage({ code: 'unread-request', text: message.error.message }, null, true));
      return message;
    }
    const id = requests.idOf(message.id);
    if (id !== null) {
      requests.answered(id);
      lost.settle();
      return { ...message, id };
    }
    // Late or twice; else it was meant for another one.
    if (!requests.wasSent(message.id)) {
      const unasked = new BrokenMessage({ code: 'unasked' }, null, true);
      lost.add(unasked);
      strike(state, unasked.fault);
    }
    return null;
  }

  function receive(raw: JSONRPCMessage, extra?: MessageExtraInfo): void {
    if (state.hasEnded) return;
    heardAt = performance.now();
    const message = hiding.message(withShortWords(raw));
    const incoming = 'method' in message ? message : answerOf(message);
    if (incoming === null) return;
    safely(state, () => {
      const result = intercept(incoming);
      if (result) listeners.onmessage?.(result, extra);
    });
  }

  // Whoever sets a listener finds it in its place again, but caught.
  guardListener('onmessage', () => receive);
  guardListener('onerror', () => (error: Error) => {
    const hidden = hiding.error(error);
    if (!state.hasStarted) state.trouble ??= hidden;
    safely(state, () => listeners.onerror?.(hidden));
  });
  guardListener('onclose', () => () => safely(state, () => listeners.onclose?.()));

  function guardListener<K extends keyof typeof listeners>(
    name: K,
    guard: () => NonNullable<(typeof listeners)[K]>,
  ): void {
    Object.defineProperty(transport, name, {
      configurable: true,
      enumerable: true,
      get: () => listeners[name] && guard(),
      set(next: (typeof listeners)[K]) {
        listeners[name] = next;
      },
    });
  }

  transport.intake.awaits = (id) => requests.idOf(id) !== null;
  transport.intake.onOver = (error) => end(state, error);
  transport.onbroken = (broken) => {
    if (state.hasEnded) return;
    const id = requests.idOf(broken.answers ?? undefined);
    if (id !== null) failRequest(state, id, broken);
    else if (broken.isAnswer && !(broken.answers !== null && requests.wasSent(broken.answers)))
      lost.add(broken);
    strike(state, broken.fault);
  };

  return () => heardAt;
}
