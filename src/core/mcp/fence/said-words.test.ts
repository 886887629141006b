import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { expect, test } from 'vitest';
import { mostSaid, withShortWords } from './said-words';

const short = (message: object) => withShortWords({ jsonrpc: '2.0', ...message } as JSONRPCMessage);
const answer = <R extends object>(result: R) => ({ id: 1, result });
const content = (part: object) => answer({ content: [part] });
const news = (method: string, params: object) => ({ method: `notifications/${method}`, params });
const asked = (params: object) => ({ id: 2, method: 'elicitation/create', params });

const places: Record<string, (long: string) => object> = {
  'the name of a link': (name) => content({ type: 'resource_link', uri: 'a:b', name }),
  'the address of a link': (uri) => content({ type: 'resource_link', uri, name: 'n' }),
  'the title of a link': (title) => content({ type: 'resource_link', uri: 'a:b', name: 'n', title }),
  'a description': (description) => content({ type: 'resource_link', uri: 'a:b', name: 'n', description }),
  'the type of a picture': (mimeType) => content({ type: 'image', mimeType, data: 'AAAA' }),
  'the address of a resource': (uri) => content({ type: 'resource', resource: { uri, text: 't' } }),
  'a resource that was read': (mimeType) => answer({ contents: [{ uri: 'a:b', mimeType, text: 't' }] }),
  'the description of a prompt': (description) => answer({ description, messages: [] }),
  'a part of a prompt': (name) =>
    answer({ messages: [{ role: 'user', content: { type: 'resource_link', uri: 'a:b', name } }] }),
  'who the server is': (title) => answer({ serverInfo: { name: 's', version: '1', title } }),
  'the state of a task': (statusMessage) =>
    answer({ task: { taskId: 't', status: 'working', statusMessage } }),
  'a question inside of a task': (message) =>
    answer({ inputRequests: { a: { method: 'elicitation/create', params: { message } } } }),
  'an error': (message) => ({ id: 1, error: { code: 1, message } }),
  'a page that an error asks to open': (message) => ({
    id: 1,
    error: { code: -32_042, message: 'm', data: { elicitations: [{ mode: 'url', message }] } },
  }),
  'a question': (message) => asked({ message, requestedSchema: {} }),
  progress: (message) => news('progress', { progressToken: 1, progress: 1, message }),
  'who writes into the log': (logger) => news('message', { level: 'error', logger, data: 'd' }),
  'a resource that changed': (uri) => news('resources/updated', { uri }),
};
const signs = ['\u007f', '[', '\\', '\u202e'];

test.each(Object.keys(places).flatMap((place) => signs.map((sign) => [place, sign] as const)))(
  '%s is cut where it is longer than anybody reads, and says so (%j)',
  (place, sign) => {
    const given = places[place]?.(sign.repeat(1_000_000)) ?? {};
    const text = JSON.stringify(short(given));
    expect(text.length).toBeLessThan(2.1 * mostSaid.address.one);
    expect(text).toContain('… (cut; the whole has 1,000,000 characters)');
    const usual = places[place]?.('as long as usual') ?? {};
    expect(short(usual)).toEqual({ jsonrpc: '2.0', ...usual });
  },
);

test('many names of one message are no longer than all may be together', () => {
  const links = Array.from({ length: 4_000 }, () => ({
    type: 'resource_link',
    uri: 'a:b',
    name: '\u007f'.repeat(mostSaid.name.one),
  }));
  const { length } = JSON.stringify(short(answer({ content: links })));
  expect(length).toBeLessThan(mostSaid.name.inAll + 4_000 * 150);
});

test('long words of some leave names, addresses and sorts of others as they are', () => {
  const link = (n: number) => ({
    type: 'resource_link',
    uri: `https://x.example/${n}?signature=${'s'.repeat(5_000)}`,
    name: `Note ${n}`,
    mimeType: 'text/markdown',
  });
  const links = Array.from({ length: 900 }, (_, n) => ({ ...link(n), description: 'd'.repeat(9_900) }));
  const given = answer({ content: [...links, link(900), { type: 'text', text: 'important' }] });
  const { content: kept } = (short(given) as unknown as { result: { content: object[] } }).result;
  expect(kept.map((part) => ({ ...part, description: '' }))).toEqual(
    given.result.content.map((part) => ({ ...part, description: '' })),
  );
});

test('texts, bytes and data of the tool’s own stay as they are', () => {
  const long = 'x'.repeat(100_000);
  const kept = answer({
    content: [
      { type: 'text', text: long },
      { type: 'image', mimeType: 'image/png', data: long },
    ],
    structuredContent: { name: long, message: long, uri: [{ title: long }] },
    _meta: { description: long },
    tools: [{ name: long, description: long }],
  });
  expect(short(kept)).toEqual({ jsonrpc: '2.0', ...kept });
});
