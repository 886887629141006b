import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { WireFormat } from '../../src/contract/providers';
import { type Clock, systemClock } from '../../src/core/foundation';
import { type Answer, type ProviderServer, startProviderServer } from '../provider-server';
import { readRecorded, readRecordings, vendorOf } from './recordings';
import { ask, collect, memorySettings, type Outcome, testProviders } from './support';

/** Every answer that is known here, broken in four ways at twenty places each. */
const places = 20;

interface Whole {
  id: string;
  vendor: string;
  format: WireFormat;
  body: () => Buffer;
}

const wireFolder = join(import.meta.dirname, '../fixtures/wire');
const samples: Record<string, { file: string; vendor: string; format: WireFormat }> = JSON.parse(
  readFileSync(join(wireFolder, 'expected.json'), 'utf8'),
);
const wholes: Whole[] = [
  ...Object.entries(samples).map(([id, { file, vendor, format }]) => ({
    id,
    vendor,
    format,
    body: () => readFileSync(join(wireFolder, file)),
  })),
  ...readRecordings()
    .filter(({ status, expected }) => status === 200 && !expected?.error)
    .map((recording) => ({
      id: recording.id,
      vendor: vendorOf(recording),
      format: recording.format,
      body: () => readRecorded(recording.file),
    })),
];

const errorsInStream: Record<Exclude<WireFormat, 'demo'>, string> = {
  'openai-chat': 'data: {"error":{"message":"Too busy","type":"server_error","code":null}}\n\n',
  'openai-responses':
    'event: error\ndata: {"type":"error","code":"server_error","message":"Too busy","param":null}\n\n',
  'anthropic-messages':
    'event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"Too busy"}}\n\n',
  'gemini-generateContent':
    'data: {"error":{"code":503,"message":"Too busy","status":"UNAVAILABLE"}}\r\n\r\n',
  'ollama-chat': '{"error":"Too busy"}\n',
};

/** A clock on which the idle time is over soon. */
const quick: Clock = { now: systemClock.now, after: (ms, work) => systemClock.after(ms / 500, work) };
const providers = testProviders({ settings: memorySettings({ providerIdleTimeout: 120_000 }), clock: quick });

let shared: ProviderServer;
beforeAll(async () => {
  shared = await startProviderServer();
});
afterAll(() => shared[Symbol.asyncDispose]());

async function hear(
  whole: Whole,
  answer: Answer,
  server: ProviderServer = shared,
): Promise<Outcome & { failure: string | null }> {
  server.answer(answer);
  const provider = await providers.temporary(
    { id: 'p', vendor: whole.vendor, tag: 'P', model: 'm', format: whole.format, baseUrl: server.url },
    'test-key-123456',
  );
  const outcome = await collect(provider.stream(ask('Hello'), AbortSignal.timeout(20_000)));
  const failure = (outcome.error as { details?: { failure?: string } } | null)?.details?.failure ?? null;
  return { ...outcome, failure: outcome.error && !failure ? String(outcome.error) : failure };
}

/** Where an event of the stream ends. */
function eventEnds(body: Buffer, format: WireFormat): number[] {
  const mark = format === 'ollama-chat' ? '\n' : body.includes('\r\n\r\n') ? '\r\n\r\n' : '\n\n';
  const ends: number[] = [];
  for (let at = body.indexOf(mark); at !== -1; at = body.indexOf(mark, at + mark.length))
    ends.push(at + mark.length);
  return ends;
}

function spread(from: number, to: number): number[] {
  const found = Array.from({ length: places }, (_, n) => Math.round(from + ((to - from) * n) / (places - 1)));
  return [...new Set(found)];
}

/** Not between an event's text and the end of its line: whether it came is then a matter of taste. */
function bytesOf(body: Buffer, ends: readonly number[]): number[] {
  return spread(1, body.length - 1).map((at) =>
    ends.some((end) => at < end && end - at <= 4) ? Math.max(1, at - 5) : at,
  );
}

describe.each(wholes)('of $id what came before a fault is kept', (whole) => {
  const body = whole.body();
  const ends = eventEnds(body, whole.format);

  test('the connection cut, ended cleanly or silent at any byte', async () => {
    const complete = await hear(whole, { body });
    expect(complete.failure).toBeNull();
    let before = '';
    for (const at of bytesOf(body, ends)) {
      const cut = await hear(whole, { body, cutAt: at });
      const ended = await hear(whole, { body, endAt: at });
      const where = `at byte ${at} of ${body.length}`;
      for (const [outcome, failures] of [
        [cut, ['network']],
        // A stream whose end mark had come is whole, whatever its connection does then.
        [ended, ['incomplete']],
      ] as const) {
        if (outcome.failure === null) {
          expect(outcome.finish, where).toBe(complete.finish);
          expect(outcome.text, where).toBe(complete.text);
          expect(outcome.calls.length, where).toBe(complete.calls.length);
        } else {
          expect(failures, where).toContain(outcome.failure);
          expect(outcome.finish, where).toBeNull();
          expect(outcome.calls, where).toEqual([]);
        }
        expect(complete.text.startsWith(outcome.text), where).toBe(true);
        expect(complete.reasoning.startsWith(outcome.reasoning), where).toBe(true);
      }
      expect(cut.text, where).toBe(ended.text);
      expect(ended.text.length, where).toBeGreaterThanOrEqual(before.length);
      before = ended.text;
    }
  });

  test('silent at any byte', async () => {
    const complete = await hear(whole, { body });
    const breakAt = async (at: number) => {
      await using server = await startProviderServer();
      const silent = await hear(whole, { body, stallAt: at }, server);
      const ended = await hear(whole, { body, endAt: at }, server);
      const where = `at byte ${at} of ${body.length}`;
      // The SDKs may leave at the end mark, before the connection ends.
      expect(silent.failure === null ? silent.finish : silent.failure, where).toBe(
        silent.failure === null ? complete.finish : 'timeout',
      );
      expect(silent.text, where).toBe(ended.text);
    };
    await Promise.all(bytesOf(body, ends).map(breakAt));
  });

  test('an error between any two events', async () => {
    const wrong = Buffer.from(errorsInStream[whole.format as keyof typeof errorsInStream]);
    const inner = ends.slice(0, -1);
    const chosen = [...new Set(spread(0, inner.length - 1).flatMap((n) => inner[n] ?? []))];
    for (const at of chosen) {
      const outcome = await hear(whole, { body: Buffer.concat([body.subarray(0, at), wrong]) });
      const ended = await hear(whole, { body, endAt: at });
      const where = `at byte ${at} of ${body.length}`;
      if (outcome.failure === null) expect(ended.failure, where).toBeNull();
      else expect(outcome.failure, where).toBe('overloaded');
      expect(outcome.text, where).toBe(ended.text);
    }
  });
});
