import { expect, test } from 'vitest';
import { createInner, outcome, resolvedCall, signal } from '../../../../tests/support/tool-call';
import type { Decision } from '../../../contract/tools';
import type { EarlierResult } from '../request/request';
import type { CacheVerdict } from './cache';
import { cached, cachedByChoice } from './cached';

const earlier: EarlierResult = {
  ...{ serverName: 'memory', tool: 'find', arguments: { query: 'x' }, definition: 'aaaaaaaaaaaa', at: 3 },
  outcome: outcome({ callId: 'before', parts: [{ kind: 'text', text: 'From before.' }], ms: 70, at: 2 }),
};
const again = {
  ...{ callId: 'call-1', status: 'ok', parts: [{ kind: 'text', text: 'From before.' }] },
  ...{ ms: 0, at: 3, cached: true },
};
const verdicts: Record<CacheVerdict['kind'], CacheVerdict> = {
  run: { kind: 'run' },
  reuse: { kind: 'reuse', earlier },
  ask: { kind: 'ask', earlier, ageMs: 40 },
};

test('an equal result is the answer, and nothing is called', async () => {
  const { inner, reached } = createInner();
  const { call } = resolvedCall();
  const ended = await cached(inner, () => verdicts.reuse, { isDenied: () => false })(call, signal);
  expect(ended).toMatchObject(again);
  expect(call.progress.approval).toBe('cached');
  expect(reached).toEqual([]);
});

test.each([
  { name: 'where it may not be reused', verdict: verdicts.run, isDenied: false },
  { name: 'where the person chooses, later', verdict: verdicts.ask, isDenied: false },
  { name: 'where the call may not be made', verdict: verdicts.reuse, isDenied: true },
])('the call goes on $name', async ({ verdict, isDenied }) => {
  const { inner, reached } = createInner();
  const { call } = resolvedCall();
  await cached(inner, () => verdict, { isDenied: () => isDenied })(call, signal);
  expect(reached).toEqual([call]);
  expect(call.progress.approval).toBe('none');
});

function choice(verdict: CacheVerdict, decision: Decision) {
  const { inner, reached } = createInner();
  const questions: unknown[] = [];
  const consent = {
    ask: async (_call: unknown, args: unknown, why: unknown) => {
      questions.push([args, why]);
      return decision;
    },
  };
  return { choose: cachedByChoice(inner, () => verdict, consent), reached, questions };
}

test('the person takes the equal result', async () => {
  const { choose, reached, questions } = choice(verdicts.ask, { kind: 'use-cached' });
  const { call } = resolvedCall();
  expect(await choose(call, signal)).toMatchObject(again);
  expect(call.progress.approval).toBe('cached');
  expect(questions).toEqual([[{ query: 'x' }, { kind: 'cached', ageMs: 40 }]]);
  expect(reached).toEqual([]);
});

test('the person wants a new one, or none', async () => {
  const yes = choice(verdicts.ask, { kind: 'allow', remember: 'once' });
  const { call } = resolvedCall();
  await yes.choose(call, signal);
  expect(yes.reached).toEqual([call]);

  const no = choice(verdicts.ask, { kind: 'deny', reason: 'Not now.' });
  await expect(no.choose(call, signal)).rejects.toMatchObject({
    code: 'tool.denied',
    details: { by: 'person', reason: 'Not now.' },
  });
  expect(no.reached).toEqual([]);
});

test.each([
  { name: 'where nobody is there', verdict: verdicts.ask, unattended: { allow: [] } },
  { name: 'where there is no equal one', verdict: verdicts.run, unattended: null },
  { name: 'once the call was allowed', verdict: verdicts.reuse, unattended: null },
])('nobody is asked $name', async ({ verdict, unattended }) => {
  const { choose, reached, questions } = choice(verdict, { kind: 'use-cached' });
  const { call } = resolvedCall({ unattended });
  await choose(call, signal);
  expect(questions).toEqual([]);
  expect(reached).toEqual([call]);
});
