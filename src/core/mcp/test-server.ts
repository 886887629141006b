import type { ServerDraft } from '../../contract/mcp';
import type { Clock } from '../foundation';
import { redactText, throwIfAborted } from '../foundation';
import type { Connection } from './client/connection';
import { startFailure } from './client/failures';
import type { OpenParts } from './client/open-connection';
import type { Launch } from './config/launch';
import type { Mcp } from './mcp';
import { launchInTime } from './server/opening';

const listMs = 30_000;
const keptLines = 50;

/** Connects once, lists the tools, disconnects. */
export async function testServer({
  draft,
  signal,
  clock,
  resolve,
  open,
}: {
  draft: ServerDraft;
  signal: AbortSignal;
  clock: Clock;
  resolve(config: { level: 'user'; draft: ServerDraft }): Promise<Launch>;
  open(
    launch: Launch & { config: { id: string; level: 'user'; draft: ServerDraft } },
    io: Pick<OpenParts, 'events' | 'onAttempt' | 'onStderr' | 'onJunk' | 'signal'>,
  ): Promise<Connection>;
}): ReturnType<Mcp['test']> {
  const log: string[] = [];
  const note = (line: string) => {
    log.push(redactText(line.slice(0, 2_000)));
    if (log.length > keptLines) log.shift();
  };
  const ignore = () => undefined;
  const events = {
    onToolsChanged: ignore,
    onOffersChanged: ignore,
    onResourceUpdated: ignore,
    onLog: note,
    onClosed: ignore,
  };
  const startedAt = clock.now();
  try {
    const launch = await launchInTime(resolve({ level: 'user', draft }), { draft }, signal);
    const connection = await open(
      { ...launch, config: { id: 'test', level: 'user', draft } },
      { events, signal, onAttempt: () => undefined, onStderr: note, onJunk: note },
    );
    try {
      const { tools } = await connection.listTools(listMs);
      return {
        kind: 'ok',
        ms: clock.now() - startedAt,
        era: connection.server.era,
        tools: tools.map(({ name, description }) => ({ name, description })),
      };
    } finally {
      await connection.close();
    }
  } catch (error) {
    throwIfAborted(signal);
    const failure = startFailure(error);
    return {
      kind: 'failed',
      reason: failure.kind === 'sign-in' ? { code: 'sign-in' } : failure.reason,
      log,
    };
  }
}
