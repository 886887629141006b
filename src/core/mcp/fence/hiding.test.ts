import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { expect, test } from 'vitest';
import { createHiding } from './hiding';

const key = 'v4lue1of9a8secret';
const hiding = createHiding([key, 'p4ss']);
const answer = (result: object) => ({ jsonrpc: '2.0', id: `id-${key}`, result }) as JSONRPCMessage;
const hidden = (result: object) => hiding.message(answer(result));
const blob = Buffer.from([...Array(4_000).keys()].map((n) => (n * 7919) % 256)).toString('base64');

test.each<[string, object]>([
  ['words that a key begins or ends', { text: 'v4lue1of9a8-secret? p4ssword p4sses v4lue' }],
  ['a picture', { content: [{ type: 'image', mimeType: 'image/png', data: blob }] }],
  ['a blob', { contents: [{ uri: 'x:y', blob }] }],
  ['a picture in a text', { text: `![](data:image/png;base64,${blob})` }],
  ['code', { text: 'const a = "\\u0041\\\\n"; // %41 &amp; &#65; \u0000\u0001\u0000 ok' }],
  ['anything else', { a: [1, true, null, '', { '': 0 }], constructor: 'x', n: 1e21, list: [[['p']]] }],
  ['names that objects have', JSON.parse('{"__proto__": {"a": 1}, "toString": "b"}')],
])('%s stay as they are', (_, result) => {
  expect(JSON.stringify(hidden(result))).toBe(JSON.stringify(answer(result)));
});

test('what holds no key is not made anew', () => {
  const result = { content: [{ type: 'text', text: 'a', annotations: { audience: ['user'] } }], more: [[1]] };
  expect(hiding.message(answer(result))).toMatchObject({ result });
  const { content, more } = (hidden(result) as unknown as { result: typeof result }).result;
  expect(content).toBe(result.content);
  expect(more).toBe(result.more);
  expect((hidden({ ...result, key }) as unknown as { result: typeof result }).result.content).toBe(content);
});

test('a key is taken out of every text, name and list, and all else stays in its place', () => {
  const between = 'a\u0000\u0001\u0000b';
  expect(
    hidden({ a: `of ${key}.`, [key]: [{ b: [key, 1, 'c'] }], d: 'the p4ss', e: between, f: 'p4ssword' }),
  ).toEqual(
    answer({ a: 'of •••.', '•••': [{ b: ['•••', 1, 'c'] }], d: 'the •••', e: between, f: 'p4ssword' }),
  );
});

test('what is told of tools and resources stays usable, and only its words lose a key', () => {
  const schema = { properties: { [key]: { enum: [key], description: `of ${key}` } }, required: [key] };
  const tools = [{ name: key, title: key, description: `of ${key}`, inputSchema: schema }];
  const resources = [{ name: 'r', uri: `sheet://${key}/tab`, mimeType: key }];
  const shown = { properties: { [key]: { enum: [key], description: 'of •••' } }, required: [key] };
  expect(hidden({ tools, resources })).toEqual(
    answer({
      tools: [{ name: key, title: '•••', description: 'of •••', inputSchema: shown }],
      resources: [{ name: 'r', uri: 'sheet://•••/tab', mimeType: '•••' }],
    }),
  );
  expect(hidden({ structuredContent: { tools: [key] } })).toEqual(
    answer({ structuredContent: { tools: ['•••'] } }),
  );
});

test('colours of a terminal hide no key', () => {
  for (const colour of ['\u001b[0m', '\u001b[31m', '\u009b0m', '\u001b]8;;\u0007'])
    expect(hidden({ text: `${key.slice(0, 5)}${colour}${key.slice(5)} ${colour}p4ss${colour}` })).toEqual(
      answer({ text: '••• •••' }),
    );
});

test('a text of tens of megabytes loses a key, however many there are, and takes no second', () => {
  const keys = Array.from({ length: 60 }, (_, n) => `${n}v4lue1of9a8secret${n}`.repeat(3));
  const many = createHiding(keys);
  for (const unit of ['\\', '\\u00', 'a word ', blob]) {
    const text = unit.repeat(Math.ceil(12_000_000 / unit.length));
    const before = process.cpuUsage();
    const shown = JSON.stringify(many.message(answer({ text: `${text}${keys[7]}` })));
    const { user, system } = process.cpuUsage(before);
    expect(shown.endsWith('•••"}}')).toBe(true);
    expect((user + system) / 1_000).toBeLessThan(3_000);
  }
});

test('what only goes back to the server goes back as it came', () => {
  const result = { nextCursor: key, requestState: key, resultType: 'x' };
  expect(hidden({ ...result, a: key })).toEqual(answer({ ...result, a: '•••' }));
});

test('bytes with a key in them keep their length', () => {
  const bytes = Buffer.concat([Buffer.from(blob, 'base64'), Buffer.from(key), Buffer.from(blob, 'base64')]);
  const message = JSON.stringify(hidden({ type: 'image', data: bytes.toString('base64') }));
  const { data } = JSON.parse(message).result;
  const shown = Buffer.from(data, 'base64');
  expect(shown.toString('latin1')).toBe(bytes.toString('latin1').replace(key, '*'.repeat(key.length)));
  const plain = JSON.stringify(hidden({ type: 'image', data: key }));
  expect(JSON.parse(plain).result.data).toBe('A'.repeat(key.length));
  expect(JSON.stringify(hidden({ blob: `no base64: ${key}` }))).toContain('no base64: •••');
});

test('errors and questions lose it, too, and so does whatever caused an error', () => {
  const { error } = hiding.message({
    jsonrpc: '2.0',
    id: 1,
    error: { code: 1, message: `401 ${key}`, data: { of: key } },
  }) as { error?: object };
  expect(error).toEqual({ code: 1, message: '401 •••', data: { of: '•••' } });
  const thrown = hiding.error(new TypeError(`no ${key}`, { cause: new DOMException(`of ${key}`) }));
  expect(`${thrown.message} ${thrown.stack} ${thrown.cause}`).not.toContain(key);
  expect(thrown.message).toBe('no •••');
});

test('without secrets nothing is looked at', () => {
  const message = new Proxy(answer({}), {
    get() {
      throw new Error('It was looked at.');
    },
  });
  expect(createHiding([]).message(message)).toBe(message);
});

test('50 MB take a moment, whatever they are', () => {
  const many = Array.from({ length: 100_000 }, (_, n) => ({
    name: `n${n}`,
    text: 'a few words of it '.repeat(20),
  }));
  const large = [{ type: 'image', data: blob.repeat(4_000) }, { text: blob.repeat(4_000) }];
  const before = process.cpuUsage();
  hidden({ many, last: key });
  hidden({ large, last: key });
  // Of the processor: others may have it meanwhile.
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1_000).toBeLessThan(8_000);
});
