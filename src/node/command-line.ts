import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { createApp } from '../core/app';
import { inert } from '../core/foundation';
import { createFileLog } from '../core/hosting';
import { dataFolderOf } from '../files';
import { run } from './cli/program';
import { createNodeHost } from './host';
import { outTo } from './terminal';

const interruption = new AbortController();
let interruptedAt = 0;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    // Again after a while the person means it; at once it is the same Ctrl+C, passed on by npm.
    if (interruption.signal.aborted && Date.now() - interruptedAt > 1000) process.exit(130);
    interruptedAt ||= Date.now();
    interruption.abort();
  });
}
// Whoever read our output has left: stop, as after Ctrl+C.
process.stdout.on('error', () => interruption.abort());

/** What was typed, carried out. `appRoot` holds package.json, `resources` and `out`. */
export async function runCommandLine(appRoot: string): Promise<void> {
  const { version } = JSON.parse(readFileSync(join(appRoot, 'package.json'), 'utf8')) as { version: string };
  process.exitCode = await run(process.argv.slice(2), {
    environment: process.env,
    appRoot,
    version,
    interrupted: interruption.signal,
    isTerminal: process.stdout.isTTY === true,
    out: outTo(process.stdout),
    // For a person's terminal: what a server or a file says is shown, not carried out.
    err: (chunk) => void process.stderr.write(inert(chunk)),
    unexpected: (error) =>
      createFileLog(join(dataFolderOf(process.env), 'logs')).error('command failed', { error }),
    readInput: () => text(process.stdin),
    openHost: () => createNodeHost({ appRoot, version, environment: process.env }),
    createApp,
  });
}
