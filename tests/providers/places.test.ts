import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { WireFormat } from '../../src/contract/providers';
import { type ProviderServer, startProviderServer } from '../provider-server';
import { extent } from '../support/extent';
import { createFrozenClock, createMemoryFetch, type Fault, settled } from './memory-wire';
import { readRecorded, readRecordings, vendorOf } from './recordings';
import { ask, collect, type Outcome, testProviders } from './support';

/** Every answer that is known here, broken in four ways at so many places each. Over HTTP at fewer, since each costs four connections. */
const places = extent(5, 20);
const placesOverHttp = extent(2, 6);

interface Whole {
  id: string;
  vendor: string;
  format: Exclude<WireFormat, 'demo'>;
  body: () => Buffer;
}

const wireFolder = join(import.meta.dirname, '../fixtures/wire');
const samples: Record<string, { file: string; vendor: string; format: Whole['format'] }> = JSON.parse(
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
      format: recording.format as Whole['format'],
      body: () => readRecorded(recording.file),
    })),
];

const errorsInStream: Record<Whole['format'], string> = {
  'openai-chat': 'data: {"error":{"message":"Too busy","type":"server_error","code":null}}\n\n',
  'openai-responses':
    'event: error\ndata: {"type":"error","code":"server_error","message":"Too busy","param":null}\n\n',
  'anthropic-messages':
    'event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"Too busy"}}\n\n',
  'gemini-generateContent':
    'data: {"error":{"code":503,"message":"Too busy","status":"UNAVAILABLE"}}\r\n\r\n',
  'ollama-chat': '{"error":"Too busy"}\n',
};

type Heard = Outcome & { failure: string | null };
type Hear = (body: Buffer, fault: Fault) => Promise<Heard>;

const clock = createFrozenClock();
let fetchNow: typeof globalThis.fetch;
const providers = testProviders({ clock, fetch: (input, init) => fetchNow(input, init) });
let heard = 0;

async function listen(
  whole: Whole,
  baseUrl: string,
  fetchUntil: (over: () => void) => typeof globalThis.fetch,
): Promise<Heard> {
  const mine = ++heard;
  // Late: whoever was waited for has left already.
  fetchNow = fetchUntil(() => mine === heard && clock.over());
  const provider = await providers.temporary(
    { id: 'p', vendor: whole.vendor, tag: 'P', model: 'm', format: whole.format, baseUrl },
    'test-key-123456',
  );
  const outcome = await collect(provider.stream(ask('Hello'), new AbortController().signal));
  const failure = (outcome.error as { details?: { failure?: string } } | null)?.details?.failure ?? null;
  return { ...outcome, failure: outcome.error && !failure ? String(outcome.error) : failure };
}

let server: ProviderServer;
beforeAll(async () => {
  server = await startProviderServer();
});
afterAll(() => server[Symbol.asyncDispose]());

/** Real HTTP. The time is over once all bytes before a silence have been read. */
const overHttp =
  (whole: Whole): Hear =>
  async (body, fault) => {
    const at = fault?.at ?? body.length;
    const ending = { cut: { cutAt: at }, end: { endAt: at }, stall: { stallAt: at } };
    server.answer({ body, ...(fault && ending[fault.kind]) });
    return listen(whole, server.url, (over) => async (input, init) => {
      const response = await globalThis.fetch(input, init);
      let come = 0;
      const counted = new TransformStream<Uint8Array, Uint8Array>({
        transform(piece, controller) {
          controller.enqueue(piece);
          come += piece.length;
          if (fault?.kind === 'stall' && come >= at) void settled().then(over);
        },
      });
      return new Response(response.body?.pipeThrough(counted), response);
    });
  };

/** Without a socket in between, in pieces of all sizes. */
const inPieces = (whole: Whole): Hear => {
  let seed = 7;
  const pieces = () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return 1 + (seed % 977);
  };
  return (body, fault) =>
    listen(whole, 'http://memory', (over) => createMemoryFetch(() => ({ body, fault, pieces }), over));
};

/** At once. */
const wholly =
  (whole: Whole): Hear =>
  (body, fault) =>
    listen(whole, 'http://memory', (over) =>
      createMemoryFetch(() => ({ body, fault, pieces: () => body.length }), over),
    );

/** CRLF, comments and a byte order mark, where the format has such things. */
function disguised(body: Buffer, format: WireFormat): Buffer {
  const text = body.toString('utf8').replace(/\r?\n/g, '\r\n');
  return Buffer.from(
    format === 'ollama-chat'
      ? text
      : `\uFEFF: hello\r\n\r\n${text.replaceAll('\r\n\r\n', '\r\n\r\n: alive\r\n\r\n')}`,
  );
}

/** Where an event of the stream ends. */
function eventEnds(body: Buffer, format: WireFormat): number[] {
  const newline = body.includes('\r\n') ? '\r\n' : '\n';
  const mark = format === 'ollama-chat' ? newline : newline.repeat(2);
  const ends: number[] = [];
  for (let at = body.indexOf(mark); at !== -1; at = body.indexOf(mark, at + mark.length))
    ends.push(at + mark.length);
  return ends;
}

function spread(from: number, to: number, count: number): number[] {
  const found = Array.from({ length: count }, (_, n) => Math.round(from + ((to - from) * n) / (count - 1)));
  return [...new Set(found)];
}

/** Not between an event's text and the end of its line: whether it came is then a matter of taste. */
function bytesOf(body: Buffer, ends: readonly number[], count: number): number[] {
  return spread(1, body.length - 1, count).map((at) =>
    ends.some((end) => at < end && end - at <= 4) ? Math.max(1, at - 5) : at,
  );
}

/** What is heard of an answer that ends cleanly after the last event before a place. */
function heardBefore(hear: Hear, body: Buffer, ends: readonly number[]) {
  const known = new Map<number, Promise<Heard>>();
  return async (at: number) => {
    const end = ends.findLast((one) => one <= at);
    if (end === undefined) return { text: '', reasoning: '' };
    const heard = known.get(end) ?? hear(body, { kind: 'end', at: end });
    known.set(end, heard);
    const { text, reasoning } = await heard;
    return { text, reasoning };
  };
}

describe.each(wholes)('of $id what came before a fault is kept', (whole) => {
  test.each([
    ['over HTTP', overHttp, (body: Buffer) => body, placesOverHttp],
    ['in pieces, with CRLF, comments and a byte order mark', inPieces, disguised, places],
  ] as const)('%s', async (_way, way, shape, count) => {
    const hear = way(whole);
    const body = shape(whole.body(), whole.format);
    const ends = eventEnds(body, whole.format);
    const before = heardBefore(wholly(whole), body, ends);
    const complete = await hear(body, null);
    expect(complete.failure).toBeNull();

    async function judge(outcome: Heard, at: number, failure: string, what: string): Promise<void> {
      const where = `${what} at byte ${at} of ${body.length}`;
      if (outcome.failure === null) {
        // A stream whose end mark had come is whole, whatever its connection does then.
        expect(outcome.finish, where).toBe(complete.finish);
        expect(outcome.calls.length, where).toBe(complete.calls.length);
        expect(outcome.text, where).toBe(complete.text);
        return;
      }
      expect(outcome.failure, where).toBe(failure);
      expect(outcome.finish, where).toBeNull();
      expect(outcome.calls, where).toEqual([]);
      expect({ text: outcome.text, reasoning: outcome.reasoning }, where).toEqual(await before(at));
    }

    for (const at of bytesOf(body, ends, count)) {
      await judge(await hear(body, { kind: 'cut', at }), at, 'network', 'cut');
      await judge(await hear(body, { kind: 'end', at }), at, 'incomplete', 'ended');
      await judge(await hear(body, { kind: 'stall', at }), at, 'timeout', 'silent');
    }
    const inner = ends.slice(0, -1);
    const wrong = Buffer.from(errorsInStream[whole.format]);
    for (const at of new Set(spread(0, inner.length - 1, count).flatMap((n) => inner[n] ?? []))) {
      const broken = Buffer.concat([body.subarray(0, at), wrong]);
      await judge(await hear(broken, null), at, 'overloaded', 'an error');
    }
  });
});
