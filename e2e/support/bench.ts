import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const record = join(mkdtempSync(join(tmpdir(), 'interlinear-bench-')), 'calls.txt');

/** A server with a blank in its name, as many have, that writes down each call. */
export const benchName = 'Test Bench';
export const bench = {
  [benchName]: { command: process.execPath, args: [resolve('tests/servers/bench.mjs'), record] },
};

/** The calls that have reached it, as `tool word`. */
export function callsMade(): string[] {
  try {
    return readFileSync(record, 'utf8').split('\n').filter(Boolean);
  } catch {
    return [];
  }
}

export const blockOf = (tool: string, word: string): string =>
  `\`\`\`${benchName}\ntool: ${tool}\nword: ${word}\n\`\`\``;
