import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { WireFormat } from '../../src/contract/providers';
import type { ModelEvent } from '../../src/core/providers';
import { type ProviderServer, startProviderServer } from '../provider-server';
import { ask, collect, providerAt, testProviders } from './support';

const wire = (file: string) => readFileSync(join(import.meta.dirname, '../fixtures/wire', file));
const never = new AbortController().signal;

let server: ProviderServer;
beforeEach(async () => {
  server = await startProviderServer();
});
afterEach(() => server[Symbol.asyncDispose]());

const formats: [WireFormat, string, Buffer, string][] = [
  [
    'openai-chat',
    'openai',
    wire('chat-pieces.sse'),
    'data: {"error":{"message":"Too busy","type":"server_error","code":null}}\n\n',
  ],
  [
    'openai-responses',
    'openai',
    wire('responses-reasoning-then-call.sse'),
    'event: error\ndata: {"type":"error","code":"server_error","message":"Too busy","param":null}\n\n',
  ],
  [
    'anthropic-messages',
    'anthropic',
    wire('anthropic-thinking-then-tools.sse'),
    'event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"Too busy"}}\n\n',
  ],
  [
    'gemini-generateContent',
    'gemini',
    wire('gemini-thoughts-and-calls.sse'),
    'data: {"error":{"code":503,"message":"Too busy","status":"UNAVAILABLE"}}\r\n\r\n',
  ],
  ['ollama-chat', 'ollama', wire('ollama-thinking-and-calls.ndjson'), '{"error":"Too busy"}\n'],
];

function failed(failure: string, more: object = {}) {
  return expect.objectContaining({
    code: 'provider.failed',
    details: expect.objectContaining({ failure, ...more }),
  });
}

/** The first events of a body: enough for something to have come, not for its end. */
function opening(body: Buffer): Buffer {
  const at = body.indexOf(body.includes('\r\n\r\n') ? '\r\n\r\n' : body.includes('\n\n') ? '\n\n' : '\n', 20);
  return body.subarray(0, at + (body.includes('\r\n\r\n') ? 4 : body.includes('\n\n') ? 2 : 1));
}

describe.each(formats)('in %s', (format, vendor, body, inStreamError) => {
  test('a stream that ends early but cleanly is not taken for a whole answer', async () => {
    server.answer({ body, endAt: opening(body).length });
    const provider = await providerAt(server.url, vendor, format);
    const outcome = await collect(provider.stream(ask('Hello'), never));
    expect(outcome.error).toEqual(failed('incomplete'));
    expect(outcome.finish).toBeNull();
    expect(server.requests).toHaveLength(1);
  });

  test('a web page in the place of an answer is no answer, neither to a question nor to a check', async () => {
    const page = '<!doctype html><h1>Sign in to this network</h1>';
    server.answer({ body: page, headers: { 'content-type': 'text/html; charset=utf-8' } });
    const provider = await providerAt(server.url, vendor, format);
    const outcome = await collect(provider.stream(ask('Hello'), never));
    expect(outcome.error).toEqual(failed('network'));
    expect(String(outcome.error)).toContain('A web page came from');
    expect(server.requests).toHaveLength(1);
    const config = { vendor, tag: 'P', model: 'm', format, baseUrl: server.url };
    const checked = await testProviders().check(config, 'test-key-123456', never);
    expect(checked).toMatchObject({ kind: 'failed', failure: 'network' });
  });

  test('a connection cut in the middle is told and not tried again', async () => {
    server.answer({ body, cutAt: opening(body).length });
    const provider = await providerAt(server.url, vendor, format);
    const outcome = await collect(provider.stream(ask('Hello'), never));
    expect(outcome.error).toEqual(failed('network'));
    expect(server.requests).toHaveLength(1);
  });

  test('an error inside a stream that began well is named', async () => {
    server.answer({ body: Buffer.concat([opening(body), Buffer.from(inStreamError)]) });
    const provider = await providerAt(server.url, vendor, format);
    const outcome = await collect(provider.stream(ask('Hello'), never));
    expect(outcome.error).toEqual(failed('overloaded'));
    expect((outcome.error as Error).message).toContain('Too busy');
    expect(server.requests).toHaveLength(1);
  });

  test('a stream in which nothing comes any more is given up', async () => {
    server.answer({ body, stallAt: opening(body).length });
    const provider = await providerAt(server.url, vendor, format, { idleTimeout: 1_000 });
    const outcome = await collect(provider.stream(ask('Hello'), never));
    expect(outcome.error).toEqual(failed('timeout'));
    expect(await server.requests[0]!.ended).toBe('left');
  });

  test('stopping reaches the server at once', async () => {
    server.answer({ body, stallAt: opening(body).length });
    const provider = await providerAt(server.url, vendor, format);
    const stop = new AbortController();
    const answering = collect(provider.stream(ask('Hello'), stop.signal));
    await expect.poll(() => server.requests.length).toBe(1);
    stop.abort();
    expect((await answering).error).toEqual(failed('cancelled'));
    expect(await server.requests[0]!.ended).toBe('left');
  });

  test('leaving the loop ends the request at the server', async () => {
    server.answer({ body, stallAt: body.length - 20 });
    const provider = await providerAt(server.url, vendor, format);
    for await (const _event of provider.stream(ask('Hello'), never)) break;
    expect(await server.requests[0]!.ended).toBe('left');
  });

  test('a refusal for now is tried again after the time asked for', async () => {
    const refusal = {
      status: 429,
      headers: { 'retry-after-ms': '30' },
      body: '{"error":{"message":"Slow down"}}',
    };
    server.answer(refusal, { status: 503, headers: { 'retry-after-ms': '30' }, body: 'busy' }, { body });
    const provider = await providerAt(server.url, vendor, format);
    const outcome = await collect(provider.stream(ask('Hello'), never));
    expect(outcome.error).toBeNull();
    expect(outcome.finish).toBe('tool-calls');
    expect(outcome.retries.map(({ attempt, failure }) => [attempt, failure])).toEqual([
      [1, 'rate-limit'],
      [2, 'overloaded'],
    ]);
    expect(server.requests).toHaveLength(3);
  });

  test('a key that is not accepted is not tried again', async () => {
    server.answer({
      status: 401,
      body: '{"error":{"message":"Incorrect API key provided: test-key-123456"}}',
    });
    const provider = await providerAt(server.url, vendor, format);
    const outcome = await collect(provider.stream(ask('Hello'), never));
    expect(outcome.error).toEqual(failed('auth', { status: 401 }));
    expect((outcome.error as Error).message).not.toContain('test-key-123456');
    expect(server.requests).toHaveLength(1);
  });

  test('the key goes where the provider wants it, and nowhere else', async () => {
    server.answer({ body });
    const provider = await providerAt(server.url, vendor, format);
    await collect(provider.stream(ask('Hello'), never));
    const { headers, url, body: sent } = server.requests[0]!;
    const expected = {
      'anthropic-messages': 'x-api-key',
      'gemini-generateContent': 'x-goog-api-key',
    } as const;
    const name = format in expected ? expected[format as keyof typeof expected] : 'authorization';
    expect(headers[name]).toMatch(/^(Bearer )?test-key-123456$/);
    expect(url + JSON.stringify(sent)).not.toContain('test-key-123456');
    const others = Object.entries(headers).filter(([key]) => key !== name);
    expect(JSON.stringify(others)).not.toContain('test-key-123456');
  });
});

test('five retries at most, then the failure is told', async () => {
  server.answer({ status: 500, headers: { 'retry-after-ms': '5' }, body: '{"error":{"message":"Oops"}}' });
  const provider = await providerAt(server.url, 'openai', 'openai-chat');
  const outcome = await collect(provider.stream(ask('Hello'), never));
  expect(outcome.error).toEqual(failed('overloaded', { status: 500 }));
  expect(outcome.retries.map(({ attempt }) => attempt)).toEqual([1, 2, 3, 4, 5]);
  expect(server.requests).toHaveLength(6);
});

test('a wait of minutes is told instead of waited for', async () => {
  server.answer({
    status: 429,
    headers: { 'retry-after': '3600' },
    body: '{"error":{"message":"Slow down"}}',
  });
  const provider = await providerAt(server.url, 'openai', 'openai-chat');
  const outcome = await collect(provider.stream(ask('Hello'), never));
  expect(outcome.retries).toEqual([]);
  expect(outcome.error).toEqual(failed('rate-limit', { retryAfterMs: 3_600_000 }));
});

test('a provider that says not to try again is believed', async () => {
  server.answer({
    status: 529,
    headers: { 'x-should-retry': 'false' },
    body: '{"type":"error","error":{"type":"overloaded_error","message":"Full"}}',
  });
  const provider = await providerAt(server.url, 'anthropic', 'anthropic-messages');
  await collect(provider.stream(ask('Hello'), never));
  expect(server.requests).toHaveLength(1);
});

test('stopping ends the wait for a retry at once', async () => {
  server.answer({ status: 429, headers: { 'retry-after': '20' }, body: '{"error":{"message":"Slow down"}}' });
  const provider = await providerAt(server.url, 'openai', 'openai-chat');
  const stop = new AbortController();
  const seen: ModelEvent[] = [];
  const error = await (async () => {
    for await (const event of provider.stream(ask('Hello'), stop.signal)) {
      seen.push(event);
      setImmediate(() => stop.abort());
    }
  })().catch((thrown: unknown) => thrown);
  expect(seen.map(({ kind }) => kind)).toEqual(['retrying']);
  expect(error).toEqual(failed('cancelled'));
});

test('a server that is not there is named with its address', async () => {
  const url = server.url;
  await server[Symbol.asyncDispose]();
  const provider = await providerAt(url, 'ollama', 'ollama-chat', { key: null });
  const outcome = await collect(provider.stream(ask('Hello'), never));
  expect(outcome.error).toEqual(failed('network'));
  expect((outcome.error as Error).message).toContain(url);
  expect((outcome.error as Error).message).toContain('Start Ollama');
  expect(outcome.retries).toEqual([]);
  server = await startProviderServer();
});

test('nothing of a key reaches the log', async () => {
  const records: unknown[] = [];
  const providers = testProviders({ onLog: (record) => records.push(record) });
  server.answer({ status: 400, body: '{"error":{"message":"bad sk-secret-1234567890"}}' });
  const provider = await providers.temporary(
    { id: 'x', vendor: 'openai', tag: 'X', model: 'm', baseUrl: server.url, format: 'openai-chat' },
    'sk-secret-1234567890',
  );
  const outcome = await collect(provider.stream(ask('Hello'), never));
  expect(records.length).toBeGreaterThan(0);
  expect(JSON.stringify(records) + String(outcome.error)).not.toContain('sk-secret-1234567890');
});

test('a Responses stream that says it failed is a failure, with its words', async () => {
  const event = {
    type: 'response.failed',
    response: { error: { code: 'rate_limit_exceeded', message: 'Too fast' } },
  };
  server.answer({ body: `event: response.failed\ndata: ${JSON.stringify(event)}\n\n` });
  const provider = await providerAt(server.url, 'openai', 'openai-responses');
  const outcome = await collect(provider.stream(ask('Hello'), never));
  expect(outcome.error).toEqual(failed('rate-limit'));
  expect((outcome.error as Error).message).toContain('Too fast');
});

test('a finish reason that means trouble at the provider is a failure', async () => {
  const chunk = { choices: [{ index: 0, delta: { content: 'Hm' }, finish_reason: 'network_error' }] };
  server.answer({ body: `data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n` });
  const provider = await providerAt(server.url, 'zhipu', 'openai-chat');
  const outcome = await collect(provider.stream(ask('Hello'), never));
  expect(outcome.text).toBe('Hm');
  expect(outcome.error).toEqual(failed('overloaded'));
});

test('OpenRouter’s error after a finish reason is told, not taken for an answer', async () => {
  const chunks = [
    { choices: [{ index: 0, delta: { content: 'Hm' }, finish_reason: 'length' }] },
    { error: { code: 400, message: 'Token limit reached' }, choices: [] },
  ];
  server.answer({ body: chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join('') });
  const provider = await providerAt(server.url, 'openrouter', 'openai-chat');
  const outcome = await collect(provider.stream(ask('Hello'), never));
  expect(outcome.error).toEqual(failed('bad-request'));
  expect((outcome.error as Error).message).toContain('Token limit reached');
});
