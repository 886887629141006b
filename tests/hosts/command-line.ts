import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Clock, systemClock } from '../../src/core/foundation';
import { run } from '../../src/node/cli/program';
import { createNodeHost } from '../../src/node/host';
import { createMemorySecrets } from '../support/in-memory';
import type { createAppDouble } from './app-double';

/** The command line over a double of the core, with real files in a folder of its own. */
export function createCommandLine(
  double: Pick<ReturnType<typeof createAppDouble>, 'createApp'>,
  {
    input = '',
    appRoot = mkdtempSync(join(tmpdir(), 'root-')),
    environment: more = {},
    clock = systemClock,
    isTerminal = true,
    openExternal,
  }: {
    input?: string;
    appRoot?: string;
    environment?: Record<string, string>;
    clock?: Clock;
    isTerminal?: boolean;
    /** Instead of the system's browser. */
    openExternal?: (url: string) => Promise<void>;
  } = {},
) {
  const folder = mkdtempSync(join(tmpdir(), 'cli-'));
  const interruption = new AbortController();
  const printed = { out: '', err: '' };
  const unexpected: unknown[] = [];
  // Kept from one command to the next, as a key store is.
  const secrets = createMemorySecrets();
  const environment = { INTERLINEAR_DATA: join(folder, 'data'), PATH: '', ...more };
  return {
    folder,
    printed,
    unexpected,
    interrupt: () => interruption.abort(),
    run: (...argv: string[]) =>
      run(argv, {
        environment,
        appRoot,
        version: '1.2.3',
        interrupted: interruption.signal,
        isTerminal,
        out: (text) => {
          printed.out += text;
        },
        err: (text) => {
          printed.err += text;
        },
        unexpected: (error) => unexpected.push(error),
        readInput: async () => input,
        openHost: async () => ({
          ...(await createNodeHost({ appRoot, version: '1.2.3', environment })),
          secrets,
          clock,
          ...(openExternal && { openExternal }),
        }),
        createApp: double.createApp,
      }),
  };
}
