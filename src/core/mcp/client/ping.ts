import { z } from 'zod';
import type { Connection } from './connection';
import { isLate, isRefusal } from './failures';
import type { Session } from './session';

/** After that a server may be one that does not know ping. */
const firstPingMs = 800;

/** Whether a server is there. Some leave out what every one has to answer; those are asked for what they can. */
export function createPing(
  { client, era, offers }: Pick<Session, 'client' | 'era' | 'offers'>,
  /** When it last said anything, by `performance.now()`. */
  lastHeard: () => number,
): Connection['ping'] {
  let answersPing = false;
  let ignoresPing = false;
  return async (timeoutMs) => {
    const since = performance.now();
    const ask = (method: string, timeout = timeoutMs) => client.request({ method }, z.unknown(), { timeout });
    const mayIgnore = era === 'legacy' && !answersPing && offers.tools !== undefined;
    try {
      if (era === 'modern') await client.discover({ timeout: timeoutMs });
      else if (ignoresPing) await ask('tools/list');
      else await ask('ping', mayIgnore ? Math.min(timeoutMs, firstPingMs) : timeoutMs);
      answersPing ||= !ignoresPing;
    } catch (error) {
      // A refusal is an answer, and who says anything at all is there.
      if (isRefusal(error) || lastHeard() > since) return;
      if (!mayIgnore || ignoresPing || !isLate(error)) throw error;
      await ask('tools/list');
      ignoresPing = true;
    }
  };
}
