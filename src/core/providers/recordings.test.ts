import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Answer, type ProviderServer, startProviderServer } from '../../../tests/provider-server';
import {
  bodyOf,
  type Recording,
  readRecordings,
  recordingsFolder,
  vendorOf,
} from '../../../tests/providers/recorded';
import { collect, providerAt } from '../../../tests/providers/support';
import { isAppError } from '../../contract/errors';
import type { ModelRequest } from './provider';

const recordings = readRecordings('the check of recorded answers');
const folder = recordingsFolder;
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
  const provider = await providerAt(server.url, vendorOf(recording.provider), recording.format, {
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

describe.skipIf(!folder).each(Object.keys(shapes))('a recorded answer %s', (shape) => {
  test.each(streams)('gives what was said: $id', async (recording) => {
    const expected = recording.expected;
    if (!expected) throw new Error('The recording says nothing of its outcome.');
    const outcome = await replay(recording, shapes[shape]?.(bodyOf(recording), recording) ?? {});

    if (expected.error) {
      expect(isAppError(outcome.error, 'provider.failed')).toBe(true);
    } else {
      expect(outcome.error).toBeNull();
      expect(outcome.finish).toBe(reasonNames[expected.finishReason] ?? expected.finishReason);
      expect(outcome.usage).toEqual(expected.usage);
    }
    const think = /^\s*<think>\s*([\s\S]*?)\s*<\/think>\s*/.exec(expected.text);
    expect(outcome.text).toBe(think ? expected.text.slice(think[0].length) : expected.text);
    expect(outcome.reasoning).toBe(think ? think[1] : expected.reasoning);
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

describe.skipIf(!folder)('a recorded refusal', () => {
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
  test.each(refusals)('is named: $id', async (recording) => {
    server.answer({ status: recording.status, body: bodyOf(recording), headers: recording.headers ?? {} });
    const provider = await providerAt(server.url, vendorOf(recording.provider), recording.format);
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
    expect(named).toBe(failures[recording.id.split('/')[1] ?? '']);
  });
});
