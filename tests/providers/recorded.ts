import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { WireFormat } from '../../src/contract/providers';

/** An answer as a provider sent it, with what it must come to. */
export interface Recording {
  id: string;
  provider: string;
  format: WireFormat;
  file: string;
  status: number;
  kind: string;
  model: string;
  headers?: Record<string, string>;
  requestFile?: string;
  loop?: { id: string; turn: number };
  expected?: {
    text: string;
    reasoning: string;
    toolCalls: { id: string | null; name: string; arguments: Record<string, unknown> }[];
    finishReason: string;
    usage: Record<string, number> | null;
    error: unknown;
  };
}

const root = join(import.meta.dirname, '../..');

/** Recorded traffic is not part of the project: `INTERLINEAR_RECORDINGS` names its folder. */
export const recordingsFolder = [
  process.env.INTERLINEAR_RECORDINGS,
  join(root, '../shared/fixtures/provider-recordings'),
  join(root, '../../shared/fixtures/provider-recordings'),
].find((path) => path !== undefined && existsSync(join(path, 'manifest.json')));

/** All recordings; none, with one line that says so, where their folder is missing. */
export function readRecordings(forWhat: string): Recording[] {
  if (recordingsFolder)
    return JSON.parse(readFileSync(join(recordingsFolder, 'manifest.json'), 'utf8')).fixtures;
  process.stdout.write(
    `Recorded provider traffic not found (INTERLINEAR_RECORDINGS): ${forWhat} does not run.\n`,
  );
  return [];
}

export function bodyOf(recording: Pick<Recording, 'file'>): Buffer {
  return readFileSync(join(recordingsFolder ?? '', recording.file));
}

export const vendorOf = (name: string) => ({ claude: 'anthropic', 'azure-openai': 'azure' })[name] ?? name;
