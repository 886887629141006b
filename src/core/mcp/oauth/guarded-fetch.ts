import type { FetchLike } from '@modelcontextprotocol/client';
import { anySignal } from '../../foundation';
import { fetchReaching, NotReached, type networkFetch, type Resolve, resolveName } from '../../network';
import { ProgramError } from '../fence/program-error';
import { scanJson } from '../fence/scan';
import { endingAfter, withBody } from '../transports/bounded-fetch';
import { depthOf, reaches, refusal } from './addresses';
import { signInFailed } from './failures';

const longestAnswer = 1024 * 1024;
/** Each of them is checked. */
const mostOfAnswer = { depth: 64, values: 5_000, names: 1_000 };
const mostRedirects = 3;

/**
 * For everything a sign-in asks: only addresses that may be called, no redirect to elsewhere, little time and little text.
 * A name is looked up once more for the connection, and what it then leads to is checked before anything is sent.
 */
export function createGuardedFetch(
  serverId: string,
  server: URL,
  signal?: AbortSignal,
  { resolve = resolveName, timeoutMs = 20_000 }: { resolve?: Resolve; timeoutMs?: number } = {},
): FetchLike {
  // Asked once: a server that comes to lead further in between two steps takes nobody along, not to itself either.
  let pending: Promise<number> | undefined;
  const depth = () => {
    pending ??= depthOf(server, resolve);
    return pending;
  };
  let reaching: typeof networkFetch | undefined;
  const fetchWithin = async () => {
    reaching ??= fetchReaching({ resolve, allows: reaches(await depth()) });
    return reaching;
  };
  return async (target, init) => {
    let url = new URL(target);
    for (let hops = 0; ; hops++) {
      const refused = await refusal(url, server, resolve, await depth());
      if (refused !== null) throw unsafe(serverId, refused);
      const reach = await fetchWithin();
      const response = await inTime(
        (limit) => wholly(reach, url, { ...init, redirect: 'manual', signal: limit }),
        timeoutMs,
        [signal, init?.signal ?? undefined],
      ).catch((error: unknown) => {
        throw isNotReached(error)
          ? unsafe(serverId, `${url.host} leads into a network where the server is not.`)
          : error;
      });
      const location = response.headers.get('location');
      if (response.status < 300 || response.status >= 400 || location === null) return response;
      const next = new URL(location, url);
      const isRead = (init?.method ?? 'GET').toUpperCase() === 'GET';
      if (next.origin !== url.origin || !isRead || hops >= mostRedirects)
        throw signInFailed(
          serverId,
          `${url.host} sent the sign-in on to ${next.host}, which is not followed.`,
        );
      url = next;
    }
  };
}

/** All of an answer, which in a sign-in is never a stream: whatever it says of itself, it is short and has an end. */
async function wholly(fetch: typeof networkFetch, url: URL, init: RequestInit): Promise<Response> {
  const response = await fetch(url, init);
  if (response.body === null) return response;
  const whole = new Response(response.body.pipeThrough(endingAfter(longestAnswer)));
  const bytes = new Uint8Array(await whole.arrayBuffer());
  const excess = looksLikeJson(bytes) ? scanJson(bytes, mostOfAnswer) : null;
  if (excess !== null) throw new ProgramError(excess);
  return withBody(response, bytes);
}

const byteOrderMark = [0xef, 0xbb, 0xbf];

/** A page in its place is not read as data. */
function looksLikeJson(bytes: Uint8Array): boolean {
  const first = bytes.find((byte) => byte > 0x20 && !byteOrderMark.includes(byte));
  return first === 0x7b || first === 0x5b;
}

/** The outcome, or the end of the time for it, also where what is waited for heeds no signal. */
async function inTime<T>(
  work: (limit: AbortSignal) => Promise<T>,
  ms: number,
  signals: readonly (AbortSignal | undefined)[],
): Promise<T> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(new ProgramError({ code: 'late' })), ms);
  const limit = anySignal(late.signal, ...signals);
  const cancellation = new Promise<never>((_resolve, reject) => {
    if (limit.aborted) reject(limit.reason);
    limit.addEventListener('abort', () => reject(limit.reason), { once: true });
  });
  try {
    return await Promise.race([work(limit), cancellation]);
  } finally {
    clearTimeout(timer);
  }
}

const unsafe = (serverId: string, why: string) =>
  signInFailed(serverId, `The server asked for something unsafe. ${why}`);

/** Those who connect wrap what went wrong, more than once. */
function isNotReached(error: unknown): boolean {
  for (let at = error, depth = 0; at instanceof Error && depth < 6; at = at.cause, depth++)
    if (at instanceof NotReached) return true;
  return false;
}
