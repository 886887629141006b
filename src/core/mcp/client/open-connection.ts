import type { LogLevel, ServerDraft } from '../../../contract/mcp';
import { anySignal, type Guard, longestMs, orCancelled, throwIfAborted, within } from '../../foundation';
import { transportOf } from '../config/server-config';
import type { CheckOutput } from '../features/call-result';
import { createHiding, type Hiding } from '../fence/hiding';
import { ProgramError } from '../fence/program-error';
import type { TellingTransport } from '../fence/read-message';
import { createHttpTransport, type Signing } from '../transports/http';
import { createSseTransport } from '../transports/sse';
import { createStdioTransport, type Enclosure } from '../transports/stdio';
import { connect } from './connect';
import type { Connection, ConnectionEvents } from './connection';
import { mayFallBack } from './failures';
import type { ServerRequests } from './server-requests';

export interface OpenParts {
  readonly serverId: string;
  readonly appVersion: string;
  /** With every variable filled in. */
  readonly draft: ServerDraft;
  /** What the server must not repeat. */
  readonly secrets: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly guard: Guard;
  /** What is put round the process of a program, a new one each time; null: nothing is. */
  enclose(): Enclosure | null;
  /** Null where nobody signs in. */
  readonly signing: Signing | null;
  /** Servers that only speak the handshake era and pay dearly for being asked; by origin. */
  readonly legacyOnly: Set<string>;
  readonly origin: string;
  readonly requests: ServerRequests;
  readonly checkOutput: CheckOutput;
  readonly logLevel: LogLevel;
  isAsking(): boolean;
  readonly events: ConnectionEvents;
  /** Before each process or connection that is tried. */
  onAttempt(): void;
  onStderr(line: string): void;
  onJunk(line: string, count: number): void;
  readonly initTimeoutMs: number;
  readonly signal: AbortSignal;
}

interface Attempt {
  readonly mode: 'auto' | 'legacy';
  transport(): TellingTransport;
}

const mostProbeMs = 5_000;
const closeMs = 5_000;

/**
 * Connects in whichever way works: the modern era is asked for on the very connection that is then used, and where that
 * question ends a program or gets an answer that says nothing, a new connection speaks the handshake era at once.
 */
export async function openConnection(parts: OpenParts): Promise<Connection> {
  const { initTimeoutMs, legacyOnly, origin } = parts;
  const deadline = AbortSignal.timeout(Math.min(initTimeoutMs, longestMs));
  const signal = anySignal(parts.signal, deadline);
  const until = performance.now() + initTimeoutMs;
  let failed = false;
  let firstWord: unknown;
  const hiding = createHiding(parts.secrets);
  for (const attempt of attemptsFor(parts, hiding)) {
    throwIfAborted(parts.signal);
    parts.onAttempt();
    const transport = attempt.transport();
    const onAbort = () => void transport.close();
    signal.addEventListener('abort', onAbort, { once: true });
    const connecting = connect({
      serverId: parts.serverId,
      appVersion: parts.appVersion,
      transport,
      hiding,
      mode: attempt.mode,
      timeoutMs: Math.max(1, until - performance.now()),
      probeMs: Math.min(mostProbeMs, initTimeoutMs / 3),
      requests: parts.requests,
      checkOutput: parts.checkOutput,
      logLevel: parts.logLevel,
      isAsking: parts.isAsking,
      events: parts.events,
    });
    try {
      const connection = await orCancelled(connecting, signal);
      if (failed && attempt.mode === 'legacy') legacyOnly.add(origin);
      return connection;
    } catch (error) {
      // Nothing of a failed attempt may live on beside the next one.
      await transport.close();
      const closing = connecting.then(
        (late) => late.close(),
        () => undefined,
      );
      await within(closing, closeMs);
      throwIfAborted(parts.signal);
      if (deadline.aborted) throw new ProgramError({ code: 'no-start', ms: initTimeoutMs });
      failed = true;
      // Why the first handshake failed says more than why the question about the era did.
      if (attempt.mode === 'legacy') firstWord ??= error;
      if (!mayFallBack(error)) throw error;
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  }
  throw firstWord;
}

function attemptsFor(parts: OpenParts, hiding: Hiding): Attempt[] {
  const { draft, environment, guard, legacyOnly, origin } = parts;
  const skipModern = legacyOnly.has(origin);
  const both = (transport: () => TellingTransport): Attempt[] => [
    ...(skipModern ? [] : [{ mode: 'auto' as const, transport }]),
    { mode: 'legacy', transport },
  ];
  if (draft.command !== undefined) {
    const { command, args = [], cwd } = draft;
    const onStderr = (line: string) => parts.onStderr(hiding.text(line));
    const onJunk = (line: string, count: number) => parts.onJunk(hiding.text(line), count);
    const program = { command, args, cwd, environment, guard, onStderr, onJunk };
    return both(() => createStdioTransport({ ...program, enclosure: parts.enclose() }));
  }
  const url = new URL(draft.url ?? '');
  const headers = draft.headers ?? {};
  const calling = { url, headers, signing: parts.signing, hiding };
  const sse: Attempt = { mode: 'legacy', transport: () => createSseTransport(calling) };
  const kind = transportOf(draft);
  if (kind === 'sse') return [sse];
  const http = both(() => createHttpTransport(calling));
  return kind === 'http' ? http : [...http, sse];
}
