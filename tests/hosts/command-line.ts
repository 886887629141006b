import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '../../src/node/cli/program';
import { createNodeHost } from '../../src/node/host';
import type { createAppDouble } from './app-double';

/** The command line over a double of the core, with real files in a folder of its own. */
export function createCommandLine(
  double: Pick<ReturnType<typeof createAppDouble>, 'createApp'>,
  { input = '', appRoot = mkdtempSync(join(tmpdir(), 'root-')) }: { input?: string; appRoot?: string } = {},
) {
  const folder = mkdtempSync(join(tmpdir(), 'cli-'));
  const interruption = new AbortController();
  const printed = { out: '', err: '' };
  const unexpected: unknown[] = [];
  const environment = { INTERLINEAR_DATA: join(folder, 'data'), PATH: '' };
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
        out: (text) => {
          printed.out += text;
        },
        err: (text) => {
          printed.err += text;
        },
        unexpected: (error) => unexpected.push(error),
        readInput: async () => input,
        openHost: () => createNodeHost({ appRoot, version: '1.2.3', environment }),
        createApp: double.createApp,
      }),
  };
}
