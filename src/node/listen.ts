import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { z } from 'zod';
import { largestSetting, readFileAtSync, replaceFileSync } from '../files';

/** Below what systems give to outgoing connections, so that the port is free again at the next start. */
const [lowest, highest] = [20_000, 32_000];

const Place = z.object({ host: z.literal('127.0.0.1'), port: z.number().int().min(1).max(65_535) });

export interface Listening {
  readonly port: number;
  /** Writes down what was remembered where nothing is. */
  putBack(): void;
}

/**
 * Listens on this machine's own address: on the port that was asked for, else on the one that the data folder remembers,
 * so that bookmarks and what browsers keep for this origin outlive a restart. Where somebody else has it, on another for
 * this time.
 */
export async function listen(server: Server, dataFolder: string, fixedPort?: number): Promise<Listening> {
  const path = join(dataFolder, 'browsers', 'place.json');
  let lastPort = readPort(path);
  const putBack = () => {
    if (lastPort !== null && !existsSync(path)) keep(path, lastPort);
  };
  if (fixedPort !== undefined) return { port: await listenOn(server, fixedPort), putBack };
  if (lastPort !== null) {
    const port = await listenOn(server, lastPort).catch((error) => ifTaken(error, () => anyFree(server)));
    return { port, putBack };
  }
  const port = await anyFree(server);
  lastPort = port;
  try {
    keep(path, port);
  } catch {
    // The next start then has another port.
  }
  return { port, putBack };
}

function keep(path: string, port: number): void {
  replaceFileSync(path, JSON.stringify({ host: '127.0.0.1', port } satisfies z.infer<typeof Place>));
}

async function anyFree(server: Server, attempts = 20): Promise<number> {
  const port = attempts > 0 ? randomInt(lowest, highest) : 0;
  return listenOn(server, port).catch((error) => ifTaken(error, () => anyFree(server, attempts - 1)));
}

async function listenOn(server: Server, port: number): Promise<number> {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

function ifTaken<T>(error: unknown, otherwise: () => Promise<T>): Promise<T> {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE' || code === 'EACCES') return otherwise();
  throw error;
}

function readPort(path: string): number | null {
  try {
    return Place.parse(JSON.parse(readFileAtSync(path, largestSetting).toString('utf8'))).port;
  } catch {
    return null;
  }
}
