import { expect, test } from 'vitest';
import { createManualClock } from '../../../../tests/support/manual-clock';
import { outcome } from '../../../../tests/support/tool-call';
import { createRecorder, type Made } from './recorder';

const made: Made = {
  ...{ callId: 'call-1', by: 'model', serverId: 's', serverName: 'memory', tool: 'find', path: null },
};
const done = { outcome: outcome(), arguments: { query: 'x' }, approval: 'once' };

function house(isPresent = true) {
  const clock = createManualClock(100);
  const entries: { error: string | null; resultBytes: number }[] = [];
  const recorder = createRecorder({
    history: {
      add: (entry) => void entries.push(entry),
      lastUsed: () => [{ serverId: 's', name: 'add', at: 1 }],
    },
    clock,
    isPresent: () => isPresent,
  });
  return { clock, entries, recorder };
}

test('an entry says who called what and what came of it', () => {
  const { recorder, entries } = house();
  recorder.record(made, done);
  expect(entries).toEqual([
    {
      ...made,
      ...{ at: 100, arguments: { query: 'x' }, status: 'ok', ms: 1, resultBytes: 5, cached: false },
      ...{ approval: 'once', error: null },
    },
  ]);
});

test('why it failed stands there in the words of whoever says so', () => {
  const { recorder, entries } = house();
  recorder.record(made, { ...done, outcome: outcome({ status: 'error' }) });
  recorder.record(made, { ...done, outcome: outcome({ status: 'denied' }), refusal: 'Not now.' });
  recorder.record(made, { ...done, outcome: outcome({ status: 'denied' }), refusal: '' });
  expect(entries.map(({ error }) => error)).toEqual(['Made.', 'Not now.', null]);
});

test('a tool’s last use is its latest, and one that is not there has none', () => {
  const { recorder, clock } = house();
  recorder.record(made, done);
  clock.advance(5);
  recorder.record(made, done);
  expect(recorder.lastUsed.get()).toEqual([
    { serverId: 's', name: 'add', at: 1 },
    { serverId: 's', name: 'find', at: 105 },
  ]);
  const absent = house(false).recorder;
  absent.record(made, done);
  expect(absent.lastUsed.get()).toHaveLength(1);
});

test('who follows the calls hears of each until they stop', () => {
  const { recorder } = house();
  const heard: string[] = [];
  const stop = recorder.onCall(({ callId }, { arguments: args }) =>
    heard.push(callId + JSON.stringify(args)),
  );
  recorder.record(made, done);
  stop();
  recorder.record(made, done);
  expect(heard).toEqual(['call-1{"query":"x"}']);
});
