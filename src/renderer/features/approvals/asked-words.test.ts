import { expect, test } from 'vitest';
import type { ApprovalAsked } from '../../../contract/tools';
import { Unread } from '../../base/text/typed-json';
import { claims, printArguments, whyWords } from './asked-words';
import { readDraft } from './waiting';

const asked = (why: ApprovalAsked['why']): ApprovalAsked => ({
  id: '1',
  callId: 'c',
  runId: null,
  path: null,
  by: 'model',
  serverId: 's',
  serverName: 'memory',
  tool: 'search',
  title: '',
  arguments: {},
  annotations: {},
  askedAt: 0,
  why,
});

test('each reason for asking has its own words', () => {
  expect(whyWords(asked({ kind: 'policy' })).title).toBe('Run search?');
  expect(whyWords(asked({ kind: 'changed', before: 'a', after: 'b' })).title).toMatch(/not what you allowed/);
  const shown = (description: string, origin: string) => JSON.stringify({ description, origin }, null, 2);
  const changed = (before: string, after: string) => whyWords(asked({ kind: 'changed', before, after }));
  expect(changed(shown('a', '1'), shown('a', '2')).title).toMatch(/here, too/);
  expect(changed(shown('a', '1'), shown('b', '2')).title).toMatch(/not what you allowed/);
  expect(whyWords(asked({ kind: 'call-limit', calls: 25 })).detail).toMatch(/25 calls/);
  expect(whyWords(asked({ kind: 'cached', ageMs: 7_200_000 })).detail).toMatch(/2 h ago/);
});

test('what a server says of its tool is told as a claim, and silence as silence', () => {
  expect(claims({ readOnly: true })[0]?.text).toBe('claims to be read-only');
  expect(claims({})).toEqual([{ text: 'claims nothing about what it does', careful: true }]);
});

test('edited arguments are sent only as a JSON object', () => {
  expect(readDraft('{"a":1}')).toEqual({ a: 1 });
  for (const text of ['[1]', '1', 'null', '{a:1}', '']) expect(readDraft(text)).toBeInstanceOf(Unread);
});

test('edited arguments with a number that would arrive as another one are not sent', () => {
  for (const number of ['12345678901234567890', '9007199254740993', '1e400'])
    expect(readDraft(`{"n": [${number}]}`)).toMatchObject({ problem: expect.stringContaining(number) });
  expect(readDraft('{"n": [1.0, 1e3, 0.1, 9007199254740992]}')).toEqual({
    n: [1, 1000, 0.1, 9007199254740992],
  });
});

test('what a call would send hides nothing, and stays the same JSON', () => {
  const args = { path: 'a\u202egpj.exe', note: 'tag\u{e0041}ged \u200bspace', plain: 'é 日本語 ❤️' };
  const printed = printArguments(args);
  expect(printed).toContain('a\\u202egpj.exe');
  expect(printed).toContain('tag\\udb40\\udc41ged \\u200bspace');
  expect(printed).toContain('é 日本語 ❤️');
  expect(JSON.parse(printed)).toEqual(args);
});
