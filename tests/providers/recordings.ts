import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { WireFormat } from '../../src/contract/providers';

/** An answer or a refusal that a provider really gave, with what it has to come to. */
export interface Recording {
  readonly id: string;
  readonly provider: string;
  readonly format: WireFormat;
  readonly file: string;
  readonly requestFile?: string;
  readonly status: number;
  readonly kind: string;
  readonly model: string;
  readonly headers?: Record<string, string>;
  readonly loop?: { readonly id: string; readonly turn: number };
  readonly expected?: {
    readonly text: string;
    readonly reasoning: string;
    readonly toolCalls: readonly {
      readonly id: string | null;
      readonly name: string;
      readonly arguments: Record<string, unknown>;
    }[];
    readonly finishReason: string;
    readonly usage: Record<string, number> | null;
    readonly error: unknown;
  };
}

const root = join(import.meta.dirname, '../..');

/** The folder with `manifest.json`; undefined in a fresh clone, which has samples of its own instead. */
export const recordingsFolder = [
  process.env.INTERLINEAR_RECORDINGS,
  join(root, '../shared/fixtures/provider-recordings'),
  join(root, '../../shared/fixtures/provider-recordings'),
].find((path) => path !== undefined && existsSync(join(path, 'manifest.json')));

/** Empty, with a line that says so, where the recordings are missing. */
export function readRecordings(): Recording[] {
  if (recordingsFolder) {
    const { fixtures } = JSON.parse(readFileSync(join(recordingsFolder, 'manifest.json'), 'utf8'));
    // Of some refusals it is not known which model was asked.
    return fixtures.map((one: Recording) => ({ ...one, model: one.model ?? 'some-model' }));
  }
  process.stdout.write(
    'Recorded provider traffic not found (INTERLINEAR_RECORDINGS): its tests do not run.\n',
  );
  return [];
}

export function readRecorded(file: string): Buffer {
  return readFileSync(join(recordingsFolder ?? '', file));
}

export function vendorOf({ provider }: Recording): string {
  return { claude: 'anthropic', 'azure-openai': 'azure' }[provider] ?? provider;
}

/** Some models put their thoughts into the text; the app takes them out again. */
export function spokenOf(expected: NonNullable<Recording['expected']>): { text: string; reasoning: string } {
  const think = /^\s*<think>\s*([\s\S]*?)\s*<\/think>\s*/.exec(expected.text);
  return think
    ? { text: expected.text.slice(think[0].length), reasoning: think[1] ?? '' }
    : { text: expected.text, reasoning: expected.reasoning };
}

const failures: Record<string, string> = {
  'error-401-invalid-key': 'auth',
  'error-400-invalid-key': 'auth',
  'error-401-key': 'auth',
  'error-401-no-key': 'auth',
  'error-400-context-length': 'context-overflow',
  'error-400-context-cloud': 'context-overflow',
  'error-404-model': 'model-not-found',
  'error-404-deployment': 'model-not-found',
  'error-429-quota': 'rate-limit',
  'error-429-upstream': 'rate-limit',
};

/** What a recorded refusal is to be called. */
export function failureOf({ id }: Recording): string | undefined {
  return failures[id.split('/')[1] ?? ''];
}
