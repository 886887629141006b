import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';
import { type BridgeClient, createBridgeClient } from '../../../src/bridge';
import { type AppOperations, operations } from '../../../src/contract/operations';
import { createBrowser } from '../../support/browser';
import { invited } from '../../support/invited';

const repository = resolve(import.meta.dirname, '../../..');

export function ensureBuilt(): void {
  const { status } = spawnSync(process.execPath, [resolve(repository, 'scripts/ensure-built.mjs')], {
    stdio: 'inherit',
  });
  if (status !== 0) throw new Error('The app could not be built.');
}

/** The built app as a process of its own, with a client that came in as a page does. */
export interface RunningCore {
  /** Where it serves; rejects when it ends before that. */
  readonly address: Promise<string>;
  /** Standard output and standard error so far. */
  printed(): string;
  readonly pid: number;
  /** Resolves when it is gone. */
  end(signal: NodeJS.Signals): Promise<void>;
}

export function startCore(
  vault: string,
  data: string,
  environment: Record<string, string> = {},
): RunningCore {
  const cli = resolve(repository, 'out/main/cli.js');
  const child = spawn(process.execPath, [cli, 'serve', vault, '--no-open'], {
    env: { ...process.env, ...environment, INTERLINEAR_DATA: data },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let printed = '';
  const exited = once(child, 'exit');
  const address = new Promise<string>((found, failed) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      printed += `${line}\n`;
      const match = /http:\/\/127\.0\.0\.1:\d+\/\S*/.exec(line);
      if (match) found(invited(match[0], data));
    });
    child.stderr.on('data', (chunk: Buffer) => (printed += chunk.toString()));
    child.once('exit', (code) => failed(new Error(`The app ended with ${code}: ${printed}`)));
  });
  // Who kills it while it starts does not ask for its address.
  address.catch(() => undefined);
  return {
    address,
    printed: () => printed,
    pid: child.pid ?? 0,
    async end(signal) {
      child.kill(signal);
      await exited;
    },
  };
}

export interface Visitor {
  readonly client: BridgeClient<AppOperations>;
  readonly origin: string;
  leave(): void;
}

/** Comes in by the address that was printed, and opens the bridge. */
export async function comeIn(core: RunningCore): Promise<Visitor> {
  const address = await core.address;
  const wire = await (await createBrowser()).enter(address);
  if (wire === 'refused') throw new Error('The invitation was not good.');
  const client = createBridgeClient(wire, operations);
  await client.greeted;
  return { client, origin: new URL(address).origin, leave: wire.close };
}
