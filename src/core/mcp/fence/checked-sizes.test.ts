import { expect, test } from 'vitest';
import { cpuTime } from '../../../../tests/support/cpu-time';
import { questionExcess } from './checked-sizes';
import { readMessage } from './read-message';

const jsonrpc = '2.0';
const faultOf = (message: object) => {
  const read = readMessage(Buffer.from(JSON.stringify({ jsonrpc, ...message })));
  return read.kind === 'broken' ? read.broken.fault : null;
};
const answered = (result: object) => faultOf({ id: 1, result });
const many = (count: number, one: unknown = 1) => Array.from({ length: count }, () => one);
const named = (count: number, one: unknown = {}) =>
  Object.fromEntries(many(count).map((_, at) => [`k${at}`, one]));
const form = (count: number) => ({ requestedSchema: { properties: named(count) } });
const long = (what: string, most = 1_000) => ({ code: 'long-list', most, what });

test.each<[string, object, object]>([
  ['capabilities', { capabilities: { extensions: named(1_001) } }, long('extensions')],
  ['icons of a server', { serverInfo: { icons: many(1_001) } }, long('icons')],
  ['versions', { supportedVersions: many(1_001) }, long('supportedVersions')],
  ['questions', { inputRequests: named(101) }, long('inputRequests', 100)],
  ['questions of a task', { task: { inputRequests: named(101) } }, long('inputRequests', 100)],
  ['fields of a question', { inputRequests: { a: { params: form(1_001) } } }, long('properties')],
  ['turns', { messages: many(10_001) }, long('messages', 10_000)],
  ['parts of a turn', { messages: [{ content: many(1_001) }] }, long('content')],
  ['contents', { contents: many(10_001) }, long('contents', 10_000)],
  ['suggestions', { completion: { values: many(1_001) } }, long('values')],
  ['arguments of a prompt', { prompts: [{ arguments: many(1_001) }] }, long('arguments')],
  ['readers of a tool’s result', { resultType: 'complete', content: many(1_001) }, long('content')],
  [
    'lists in lists',
    { prompts: many(300, { arguments: many(900) }) },
    { code: 'too-many-values', most: 200_000 },
  ],
  [
    'what a server says of itself',
    { capabilities: named(200, many(200)) },
    { code: 'too-many-values', most: 20_000 },
  ],
])('more %s than anybody has are refused before they are checked', (_, result, fault) => {
  expect(answered(result)).toEqual(fault);
});

test('what is data of a tool is of any size', () => {
  const data = { a: many(20_000), b: named(20_000) };
  for (const result of [
    { content: many(20_000, { type: 'text', text: 'a' }) },
    { structuredContent: data, resultType: 'complete', content: [] },
    { content: [], _meta: data },
    { tools: [{ name: 'a', inputSchema: { properties: data.b, enum: data.a } }] },
  ])
    expect(answered(result)).toBeNull();
});

test('questions and news are measured, log messages and tasks are not', () => {
  const method = 'elicitation/create';
  expect(questionExcess(method, form(1_000))).toBeNull();
  expect(questionExcess(method, form(1_001))).toEqual(long('properties'));
  expect(questionExcess('sampling/createMessage', { messages: many(1_001) })).toEqual(long('messages'));
  expect(questionExcess(method, { a: many(30, many(900)) })).toMatchObject({ code: 'too-many-values' });
  expect(faultOf({ method: 'notifications/x', params: { a: many(1_001) } })).toEqual(long('a'));
  expect(faultOf({ method: 'notifications/message', params: { data: many(2_000) } })).toBeNull();
  // It is told so.
  expect(faultOf({ id: 1, method, params: form(1_001) })).toBeNull();
});

test('however many there are, few are looked at', () => {
  const lists = many(500, many(900));
  const nested = many(10_000, { a: many(40) });
  expect(cpuTime(() => questionExcess('elicitation/create', { lists, nested }))).toBeLessThan(500);
});
