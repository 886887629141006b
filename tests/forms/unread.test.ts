import { expect, test } from 'vitest';
import {
  printTyped,
  readArguments,
  readJson,
  readNumber,
  settle,
  Unread,
} from '../../src/renderer/base/text/typed-json';
import { readDraft } from '../../src/renderer/features/approvals/waiting';
import { contentOf, fieldsOf } from '../../src/renderer/features/elicitation/fields';
import { readPairs } from '../../src/renderer/features/servers/draft-text';
import { areWrong, type ServerOptions } from '../../src/renderer/features/servers/server-options';
import { draftOfHook, faultsOf } from '../../src/renderer/features/settings/hook-draft';
import { badNumber, parametersOf } from '../../src/renderer/features/settings/provider-draft';

const options: ServerOptions = {
  timeout: '',
  initTimeout: '',
  concurrency: '',
  longRunning: false,
  roots: '',
  autostart: true,
  monitoring: 'general',
  checkInterval: '',
  restarts: '',
};
const asked = fieldsOf({ properties: { n: { type: 'integer' } } });
const hook = { ...draftOfHook(null), name: 'a', which: 'server/tool' };

/** Each form that reads what is typed: whether it could be sent. */
const forms = {
  'a tool that is tried, as JSON': ['{"a": 1}', '{"a": 1', (text) => isReady(readArguments(text))],
  'a tool that is tried, a field': ['{"a": 1}', '{"a": 1', (text) => isReady({ free: readJson(text) })],
  'a tool that is tried, a number': ['1.5', '1,5', (text) => isReady({ n: readNumber(text) })],
  'an item of a list': ['1', '', (text) => isReady({ list: [readNumber(text)] })],
  'a call that waits': ['{"a": 1}', '{"a": 1', (text) => !(readDraft(text) instanceof Unread)],
  'a hook': ['{"a": 1}', '[1]', (text) => !faultsOf({ ...hook, arguments: text }, []).arguments],
  'the parameters of a provider': ['{"a": 1}', '{"a": 1', (text) => parametersOf(text) !== null],
  'a number of a provider': ['100', '1oo', (text) => badNumber('maxTokens', text) === null],
  'a number of a server': ['3', '3s', (text) => !areWrong({ ...options, timeout: text })],
  'environment and headers': ['A=1', 'A', (text) => readPairs(text).wrong.length === 0],
  'a question of a server': ['3', '3.5', (text) => contentOf(asked, { n: text }) !== null],
} satisfies Record<string, [good: string, bad: string, canBeSent: (text: string) => boolean]>;

const isReady = (value: Parameters<typeof settle>[0]) => settle(value).kind === 'arguments';

test.for(Object.entries(forms))('%s is not sent while what stands there cannot be read', ([, form]) => {
  const [good, bad, canBeSent] = form;
  expect(canBeSent(good)).toBe(true);
  expect(canBeSent(bad)).toBe(false);
});

test('a field that cannot be read is named, and is printed as it was typed', () => {
  const typed = { path: 'A.md', deep: { list: [1, new Unread('{"b": ', '')] } };
  expect(settle(typed)).toEqual({ kind: 'not-yet', fields: ['deep.list[1]'] });
  expect(readArguments(printTyped(typed))).toMatchObject({ text: expect.stringContaining('{"b": \n') });
});

test.for(Object.entries(forms))('%s is not sent with a number that would be another one', ([, form]) => {
  const [good, , canBeSent] = form;
  if (!good.includes('{')) return;
  expect(canBeSent('{"a": 9007199254740993}')).toBe(false);
  expect(canBeSent('{"a": "9007199254740993"}')).toBe(true);
});

test('a list, a text or a number is not the arguments of a call', () => {
  for (const text of ['[1]', '"a"', '3', 'null', '{"__proto__": 1}']) {
    expect(settle(readArguments(text)), text).toEqual({ kind: 'not-yet', fields: [] });
  }
  expect(settle(readArguments(' '))).toEqual({ kind: 'arguments', args: {} });
});
