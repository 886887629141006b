import { expect, test } from 'vitest';
import type { NeutralMessage } from '../../providers';
import { leftOutWords, roomFor, trimmed, weightOf } from './trim';

const long = 'words and more words '.repeat(100);
const user = (text: string): NeutralMessage => ({ role: 'user', text, attachments: [] });
const says = (text: string): NeutralMessage => ({ role: 'assistant', text, toolCalls: [] });
const calls = (id: string): NeutralMessage[] => [
  { role: 'assistant', text: '', toolCalls: [{ id, name: 'a__b', arguments: {} }] },
  { role: 'tool', callId: id, name: 'a__b', text: long, isError: false, images: [] },
];
const system: NeutralMessage = { role: 'system', text: 'Be kind.' };

test('old results go first, then whole old exchanges; the question and the system’s words stay', () => {
  const talk = [system, user('one'), ...calls('c1'), says('1'), user(long), says(long), user('last')];
  const light = trimmed(talk, weightOf(talk) - 100);
  expect(light.leftOut).toEqual({ messages: 0, results: 1 });
  expect(light.messages).toHaveLength(talk.length);

  const hard = trimmed(talk, 60);
  expect(hard.messages).toEqual([system, user('last')]);
  expect(leftOutWords(hard.leftOut)).toBe('Not sent: 6 older messages and 1 tool result.');
});

test('results that came in answering are cut when nothing else is left', () => {
  const { messages, leftOut } = trimmed([system, user('q'), ...calls('c1'), ...calls('c2')], 250);
  expect(weightOf(messages)).toBeLessThan(320);
  expect(messages).toHaveLength(6);
  const [older = '', newest = ''] = messages.flatMap((message) =>
    message.role === 'tool' ? [message.text] : [],
  );
  expect(older).toBe('(Left out to make room.)');
  expect(newest).toMatch(/^words and more words .*\n\(Left out to make room\.\)$/);
  expect(long.startsWith(newest.slice(0, newest.indexOf('\n')))).toBe(true);
  expect(newest.length).toBeGreaterThan(long.length / 4);
  expect(leftOut).toEqual({ messages: 0, results: 2 });
});

test('of the result that just came in the model sees the beginning, however little room there is', () => {
  const talk = [user('q'), ...calls('c1'), says('1'), user('last'), ...calls('c2')];
  const { messages, leftOut } = trimmed(talk, weightOf(talk) - 100);
  expect(leftOut).toEqual({ messages: 0, results: 1 });
  expect(messages.at(-1)).toEqual(talk.at(-1));
  const hard = trimmed(talk, 150);
  expect(hard.messages.at(-1)).toMatchObject({
    callId: 'c2',
    text: expect.stringMatching(/^words and more/),
  });
});

test('a result that is hardly longer than the note about it stays', () => {
  const short: NeutralMessage = {
    role: 'tool',
    callId: 'c0',
    name: 'a__b',
    text: 'ok',
    isError: false,
    images: [],
  };
  const talk = [user('one'), says(''), short, ...calls('c1'), says('1'), user('last')];
  const { messages, leftOut } = trimmed(talk, weightOf(talk) - 100);
  expect(messages).toContainEqual(short);
  expect(leftOut).toEqual({ messages: 0, results: 1 });
});

test('a message that is too long by itself is said to be', () => {
  const { messages, leftOut } = trimmed([user(long)], 10);
  expect(messages).toHaveLength(1);
  expect(leftOutWords(leftOut)).toMatch(/Nothing could be left out/);
});

test.each([
  [1, 10_000, null, 6_000],
  [2, 10_000, null, 4_200],
  [1, 100_000, 32_000, 22_200],
  [1, 10_000, 200_000, 6_000],
])(
  'the room after %i times too long, of %i tokens, for a model that takes %j',
  (times, was, window, room) => {
    expect(roomFor(times, was, { window, tools: 1_000, answer: null })).toBe(room);
  },
);
