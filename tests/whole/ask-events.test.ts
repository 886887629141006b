import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { WireFormat } from '../../src/contract/providers';
import { createApp } from '../../src/core/app';
import { systemClock } from '../../src/core/foundation';
import { vendorRows } from '../../src/core/providers/vendors';
import { createCommandLine } from '../hosts/command-line';
import { type Answer, type ProviderServer, startProviderServer } from '../provider-server';
import {
  failureOf,
  readRecorded,
  readRecordings,
  recordingsFolder,
  spokenOf,
  vendorOf,
} from '../providers/recordings';
import { extent } from '../support/extent';

const repository = join(import.meta.dirname, '../..');
const wires = join(import.meta.dirname, '../fixtures/wire/loops');
const key = 'planted-key-7f3a91';

let server: ProviderServer;
beforeAll(async () => {
  server = await startProviderServer();
});
afterAll(() => server[Symbol.asyncDispose]());

type Line = Record<string, unknown> & { kind: string };

/** Waits between two attempts pass a hundred times as fast. */
const quickClock = {
  ...systemClock,
  after: (ms: number, work: () => void) => systemClock.after(ms / 100, work),
};

async function askOnce(
  answer: Answer,
  options: readonly string[],
  {
    environment = {},
    clock = systemClock,
  }: { environment?: Record<string, string>; clock?: typeof systemClock } = {},
) {
  server.answer(answer);
  server.requests.length = 0;
  const { run, printed } = createCommandLine(
    { createApp },
    { appRoot: repository, input: 'What grows?', environment, clock },
  );
  const code = await run('ask', '-', '--rounds', '1', '--events', '--base-url', server.url, ...options);
  expect(printed.err).toBe('');
  const lines = printed.out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);
  return { code, lines };
}

/** The lines with pieces of text and of reasoning put together, in order of their first appearance. */
function joined(lines: readonly Line[]): Line[] {
  const out: Line[] = [];
  for (const line of lines) {
    const last = out.at(-1);
    if (last?.kind === line.kind && (line.kind === 'text' || line.kind === 'reasoning'))
      out[out.length - 1] = { ...last, text: `${last.text}${line.text}` };
    else out.push(line);
  }
  return out;
}

const everyWay = vendorRows
  .filter(({ id }) => id !== 'demo')
  .flatMap(({ id, formats, keyVariables }) =>
    formats.map((format) => ({ vendor: id, format, variable: keyVariables[0] ?? 'INTERLINEAR_API_KEY' })),
  );

function sampleOf(format: WireFormat): Buffer {
  const name = readdirSync(wires).find((file) => file.startsWith(`${format}-1.`));
  return readFileSync(join(wires, name ?? ''));
}

test.each(everyWay)(
  'one round of $vendor over $format: exactly these lines, no tool run, the key from $variable',
  async ({ vendor, format, variable }) => {
    const { code, lines } = await askOnce(
      { body: sampleOf(format), pieces: 'random' },
      ['--provider', vendor, '--format', format, '--model', 'some-model'],
      { environment: { [variable]: key } },
    );
    expect(joined(lines)).toEqual([
      { kind: 'reasoning', text: 'Two notes to read.' },
      { kind: 'text', text: 'I look.' },
      {
        kind: 'tool-call',
        id: expect.any(String),
        name: 'vault__read_docs',
        arguments: { paths: ['Garden.md'] },
      },
      {
        kind: 'tool-call',
        id: expect.any(String),
        name: 'vault__read_docs',
        arguments: { paths: ['Missing.md'] },
      },
      {
        kind: 'usage',
        inputTokens: 40,
        outputTokens: 20,
        ...(format === 'gemini-generateContent' && { reasoningTokens: 8 }),
      },
      { kind: 'finish', reason: 'tool_calls' },
    ]);
    expect(code).toBe(0);
    expect(server.requests).toHaveLength(1);
    const { body, headers } = server.requests[0]!;
    expect(JSON.stringify(body)).toContain('vault__read_docs');
    expect(JSON.stringify(body)).toContain('What grows?');
    expect(Object.values(headers).filter((value) => String(value).includes(key))).toHaveLength(1);
  },
);

/** All of them are read by each provider's own tests. */
const recordings = readRecordings().filter((_, index) => index % extent(4, 1) === 0);

describe.skipIf(!recordingsFolder)('recorded traffic on the command line', () => {
  test.each(recordings.filter(({ status }) => status === 200))(
    'gives what was said: $id',
    async (recording) => {
      const { expected, format, model, file } = recording;
      if (!expected) throw new Error('The recording says nothing of its outcome.');
      const { code, lines } = await askOnce(
        { body: readRecorded(file) },
        ['--provider', vendorOf(recording), '--format', format, '--model', model, '--tools', 'none'],
        { environment: { INTERLINEAR_API_KEY: key } },
      );
      const textOf = (kind: string) =>
        lines
          .filter((line) => line.kind === kind)
          .map(({ text }) => text)
          .join('');
      expect({ text: textOf('text'), reasoning: textOf('reasoning') }).toEqual(spokenOf(expected));
      const of = (kind: string) =>
        lines.filter((line) => line.kind === kind).map(({ kind: _kind, ...rest }) => rest);
      expect(of('tool-call')).toEqual(
        expected.toolCalls.map((call) => ({ ...call, id: call.id ?? expect.any(String) })),
      );
      expect(of('tool-result')).toEqual([]);
      if (expected.error) {
        expect(lines.at(-1)).toMatchObject({ kind: 'error', message: expect.any(String) });
        expect(code).toBe(1);
      } else {
        expect(of('usage')).toEqual(expected.usage ? [expected.usage] : []);
        expect(of('finish')).toEqual([{ reason: expected.finishReason }]);
        expect(of('error')).toEqual([]);
        expect(code).toBe(0);
      }
    },
  );

  test.each(recordings.filter(({ status }) => status !== 200))(
    'a refusal is named: $id',
    async (recording) => {
      const { format, model, status, headers = {}, file } = recording;
      const { code, lines } = await askOnce(
        { status, body: readRecorded(file), headers },
        ['--provider', vendorOf(recording), '--format', format, '--model', model, '--tools', 'none'],
        { environment: { INTERLINEAR_API_KEY: key }, clock: quickClock },
      );
      expect(lines).toEqual([
        expect.objectContaining({ kind: 'error', code: failureOf(recording), message: expect.any(String) }),
      ]);
      expect(code).toBe(1);
    },
  );
});
