import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Answer, type ProviderServer, startProviderServer } from '../../../tests/provider-server';
import {
  failureOf,
  type Recording,
  readRecorded,
  readRecordings,
  recordingsFolder,
  spokenOf,
  vendorOf,
} from '../../../tests/providers/recordings';
import { collect, providerAt } from '../../../tests/providers/support';
import { isAppError } from '../../contract/errors';
import type { ModelRequest } from './provider';

const recordings = readRecordings();
const streams = recordings.filter(({ status }) => status === 200);
const refusals = recordings.filter(({ status }) => status !== 200);
const shapes: Record<string, (body: Buffer, recording: Recording) => Partial<Answer>> = {
  'as recorded': (body) => ({ body }),
  /** The longest ones in small writes, to keep the suite quick. */
  'in writes of one byte': (body) => ({ body, pieces: body.length > 60_000 ? 7 : 1 }),
  'split at random': (body) => ({ body, pieces: 'random' }),
  'with CRLF': (body) => ({ body: body.toString('utf8').replace(/\r?\n/g, '\r\n') }),
  'with comments and a byte order mark': (body, { format }) => ({
    body:
      format === 'ollama-chat'
        ? body
        : `\uFEFF${body
            .toString('utf8')
            .replace(/^(event|data):/m, ': hello\n\n$1:')
            .replaceAll(/(\r?\n\r?\n)(?=\S)/g, '$1: keep-alive$1')}`,
  }),
};

let server: ProviderServer;
beforeAll(async () => {
  server = await startProviderServer();
});
afterAll(() => server[Symbol.asyncDispose]());

async function replay(recording: Recording, answer: Partial<Answer>) {
  server.answer({ status: recording.status, body: '', headers: recording.headers ?? {}, ...answer });
  const provider = await providerAt(server.url, vendorOf(recording), recording.format, {
    model: recording.model,
  });
  const request: ModelRequest = {
    model: recording.model,
    messages: [{ role: 'user', text: 'Hello', attachments: [] }],
    tools: [],
  };
  return collect(provider.stream(request, AbortSignal.timeout(30_000)));
}

const reasonNames: Record<string, string> = { tool_calls: 'tool-calls', content_filter: 'content-filter' };

describe.skipIf(!recordingsFolder).each(Object.keys(shapes))('a recorded answer %s', (shape) => {
  test.each(streams)('gives what was said: $id', async (recording) => {
    const expected = recording.expected;
    if (!expected) throw new Error('The recording says nothing of its outcome.');
    const outcome = await replay(recording, shapes[shape]?.(readRecorded(recording.file), recording) ?? {});

    if (expected.error) {
      expect(isAppError(outcome.error, 'provider.failed')).toBe(true);
    } else {
      expect(outcome.error).toBeNull();
      expect(outcome.finish).toBe(reasonNames[expected.finishReason] ?? expected.finishReason);
      expect(outcome.usage).toEqual(expected.usage);
    }
    const { text, reasoning } = outcome;
    expect({ text, reasoning }).toEqual(spokenOf(expected));
    expect(
      outcome.calls.map(({ id, name, arguments: input }, at) => ({
        id: expected.toolCalls[at]?.id === null ? null : id,
        name,
        arguments: input,
      })),
    ).toEqual(expected.toolCalls);
    expect(outcome.calls.every(({ id }) => id !== '')).toBe(true);
  });
});

describe.skipIf(!recordingsFolder)('a recorded refusal', () => {
  test.each(refusals)('is named: $id', async (recording) => {
    server.answer({
      status: recording.status,
      body: readRecorded(recording.file),
      headers: recording.headers ?? {},
    });
    const provider = await providerAt(server.url, vendorOf(recording), recording.format);
    const stop = new AbortController();
    let named: string | null = null;
    try {
      for await (const event of provider.stream(
        { model: 'm', messages: [{ role: 'user', text: 'Hello', attachments: [] }], tools: [] },
        stop.signal,
      )) {
        if (event.kind === 'retrying') named = event.failure;
        stop.abort();
      }
    } catch (error) {
      if (named === null && isAppError(error, 'provider.failed')) named = error.details.failure;
    }
    expect(named).toBe(failureOf(recording));
  });
});
