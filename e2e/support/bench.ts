import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const folder = mkdtempSync(join(tmpdir(), 'interlinear-bench-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
const record = join(folder, 'calls.txt');
const words = join(folder, 'words.txt');

/** A server with a blank in its name, as many have, that writes down each call. */
export const benchName = 'Test Bench';
const launch = { command: process.execPath, args: [resolve('tests/servers/bench.mjs'), record, words] };
export const bench = { [benchName]: { ...launch, flow: { '*': { reads: [], sends: false } } } };
/** As it comes: nobody knows what its tools read and whether they send. */
export const unknownBench = { [benchName]: launch };
/** As a model calls its tools. */
export const benchTool = (tool: string): string => `Test_Bench__${tool}`;

/** What one test did to it is nothing to the next one of the same worker. */
export function clearBench(): void {
  for (const file of [record, words]) rmSync(file, { force: true });
}

/** What it says of its tools from its next start on. */
export const describe = (text: string): void => writeFileSync(words, text);

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
