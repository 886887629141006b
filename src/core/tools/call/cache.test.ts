import { expect, test } from 'vitest';
import type { EarlierResult } from '../request/request';
import { cacheVerdict } from './cache';

const hour = 3_600_000;
const now = 10 * hour;
const call = {
  serverName: 'memory',
  tool: 'find',
  arguments: { a: 1, b: { c: [1, 2], d: 2 } },
  definition: 'abcdef0123456789',
  readOnly: true,
  since: 0,
  readsNotes: false,
};
const earlier: EarlierResult = {
  serverName: 'memory',
  tool: 'find',
  arguments: { b: { d: 2, c: [1, 2] }, a: 1 },
  definition: 'abcdef012345',
  at: now - 1000,
  outcome: {
    callId: 'x',
    status: 'ok',
    parts: [],
    ms: 1,
    at: now - 1000,
    cached: false,
    truncated: false,
    definition: null,
  },
};

test.each<
  [
    string,
    Partial<Omit<typeof call, 'arguments'>> & { arguments?: Record<string, unknown> },
    Partial<EarlierResult>,
    'reuse' | 'ask' | 'run',
    string,
  ]
>([
  ['an equal call, keys in another order', {}, {}, 'reuse', 'reuse'],
  ['a tool that is not read-only', { readOnly: false }, {}, 'reuse', 'run'],
  ['a tool that reads the notes, which change all the time', { readsNotes: true }, {}, 'reuse', 'run'],
  ['the same where the setting asks', { readsNotes: true }, {}, 'ask', 'ask'],
  ['an old result', {}, { at: now - hour - 1 }, 'reuse', 'run'],
  ['a result from before the account changed', { since: now - 500 }, {}, 'reuse', 'run'],
  ['the same where the setting asks', { since: now - 500 }, {}, 'ask', 'run'],
  ['other arguments', { arguments: { a: 2 } }, {}, 'reuse', 'run'],
  ['an array in another order', { arguments: { a: 1, b: { c: [2, 1], d: 2 } } }, {}, 'reuse', 'run'],
  ['another server', { serverName: 'other' }, {}, 'reuse', 'run'],
  ['another tool', { tool: 'add' }, {}, 'reuse', 'run'],
  ['the tool has changed', { definition: 'ffff' }, {}, 'reuse', 'run'],
  ['a result without a definition', {}, { definition: null }, 'reuse', 'run'],
  ['a beginning of it that could be guessed', {}, { definition: 'abcdef' }, 'reuse', 'run'],
  ['a result of a time to come', {}, { at: now + hour }, 'reuse', 'run'],
  ['a result that was an error', {}, { outcome: { ...earlier.outcome, status: 'error' } }, 'reuse', 'run'],
  ['the setting asks, whatever the age', { readOnly: false }, { at: 0 }, 'ask', 'ask'],
  ['the setting runs always', {}, {}, 'run', 'run'],
])('%s', (_name, change, earlierChange, cache, expected) => {
  const settings = { cache, cacheMaxAge: hour };
  expect(cacheVerdict({ ...call, ...change }, [{ ...earlier, ...earlierChange }], settings, now).kind).toBe(
    expected,
  );
});

test('of several equal results the newest is taken', () => {
  const newer = { ...earlier, at: now - 10 };
  const verdict = cacheVerdict(call, [earlier, newer, earlier], { cache: 'reuse', cacheMaxAge: hour }, now);
  expect(verdict).toEqual({ kind: 'reuse', earlier: newer });
});
