import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { WireFormat } from '../../src/contract/providers';
import { type Answer, type ProviderServer, startProviderServer } from '../provider-server';
import { ask, collect, providerAt } from './support';

interface Sample {
  shows: string;
  file: string;
  vendor: string;
  format: WireFormat;
  expected: {
    text: string;
    reasoning: string;
    calls: { id: string | null; name: string; arguments: Record<string, unknown> | null }[];
    finish: string;
    usage: Record<string, number> | null;
  };
}

const folder = join(import.meta.dirname, '../fixtures/wire');
const samples: Record<string, Sample> = JSON.parse(readFileSync(join(folder, 'expected.json'), 'utf8'));
const cases = Object.entries(samples).map(([name, sample]) => ({ name, ...sample }));

let server: ProviderServer;
beforeAll(async () => {
  server = await startProviderServer();
});
afterAll(() => server[Symbol.asyncDispose]());

const shapes: Record<string, (body: Buffer) => Answer> = {
  whole: (body) => ({ body }),
  'byte by byte': (body) => ({ body, pieces: 1 }),
  'split at random': (body) => ({ body, pieces: 'random' }),
};

describe.each(Object.keys(shapes))('an answer sent %s', (shape) => {
  test.each(cases)('is understood: $name ($shows)', async ({ file, vendor, format, expected }) => {
    server.answer(shapes[shape]!(readFileSync(join(folder, file))));
    const provider = await providerAt(server.url, vendor, format);
    const outcome = await collect(provider.stream(ask('Hello'), new AbortController().signal));

    expect(outcome.error).toBeNull();
    const { text, reasoning, finish, usage } = outcome;
    const calls = outcome.calls.map(({ id, name, arguments: input }, at) => ({
      id: expected.calls[at]?.id === null ? null : id,
      name,
      arguments: input,
    }));
    expect({ text, reasoning, calls, finish, usage }).toEqual(expected);
    expect(new Set(outcome.calls.map(({ id }) => id)).size).toBe(outcome.calls.length);
    expect(outcome.calls.every(({ error }) => error === null)).toBe(expected.calls.every((c) => c.arguments));
  });
});
