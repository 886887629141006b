import { expect, test } from 'vitest';
import { createManualClock } from '../../../../tests/support/manual-clock';
import { createLimits } from './limits';

function house(overall = 2, ofServer: Record<string, number> = {}, callsPerNote = 2) {
  const current = { overall, ofServer, callsPerNote };
  const clock = createManualClock();
  const limits = createLimits({
    clock,
    overall: () => current.overall,
    ofServer: (serverId) => current.ofServer[serverId] ?? null,
    callsPerNote: () => current.callsPerNote,
  });
  const inside: string[] = [];
  const signal = new AbortController().signal;
  async function enter(name: string, serverId = 's', by = signal) {
    const leave = await limits.enter(serverId, by);
    inside.push(name);
    return leave;
  }
  return { current, clock, limits, inside, enter };
}
const settled = () => new Promise((resolve) => setImmediate(resolve));

test('no more are inside than allowed, and they enter in the order they came', async () => {
  const { inside, enter } = house(2);
  const leave = await enter('a');
  await enter('b');
  void enter('c');
  void enter('d');
  await settled();
  expect(inside).toEqual(['a', 'b']);
  leave();
  leave();
  await settled();
  expect(inside).toEqual(['a', 'b', 'c']);
});

test('a busy server holds up its own calls only', async () => {
  const { inside, enter } = house(3, { slow: 1 });
  await enter('slow 1', 'slow');
  void enter('slow 2', 'slow');
  await enter('quick', 'other');
  expect(inside).toEqual(['slow 1', 'quick']);
});

test('servers that do not answer hold up others for two seconds at most, and their own calls until they do', async () => {
  const { limits, clock, inside, enter } = house(3);
  const leaveHanging = await enter('hanging 1', 'hanging');
  for (const name of ['hanging 2', 'hanging 3', 'hanging 4', 'hanging 5']) void enter(name, 'hanging');
  void enter('asking', 'asking');
  void enter('quick', 'quick');
  await settled();
  expect(inside).toEqual(['hanging 1', 'hanging 2', 'hanging 3']);
  clock.advance(1_999);
  await settled();
  expect(inside).toHaveLength(3);
  clock.advance(1);
  await settled();
  expect(inside.slice(3)).toEqual(['asking', 'quick']);
  expect(limits.used.get()).toMatchObject({ running: 5, waiting: 2, atOnce: 3 });
  clock.advance(60_000);
  await settled();
  expect(inside).toHaveLength(5);
  leaveHanging();
  leaveHanging();
  await settled();
  expect(inside.slice(5)).toEqual(['hanging 4']);
  expect(limits.used.get()).toMatchObject({ running: 5, waiting: 1 });
});

test('a place that a call has left, or kept for two seconds, is given back once', async () => {
  const { limits, clock, inside, enter } = house(1, { a: 9 });
  const leave = await enter('a 1', 'a');
  leave();
  const leaveSlow = await enter('a 2', 'a');
  clock.advance(1_000);
  void enter('a 3', 'a');
  clock.advance(1_000);
  leaveSlow();
  void enter('a 4', 'a');
  await settled();
  expect(inside).toEqual(['a 1', 'a 2', 'a 3']);
  expect(clock.pending()).toBe(1);
  expect(limits.used.get()).toMatchObject({ running: 1, waiting: 1 });
});

test('who calls a server again and again is not before the calls of others', async () => {
  const { inside, enter } = house(2);
  const leaves = await Promise.all([enter('many 1', 'many'), enter('many 2', 'many')]);
  for (const name of ['many 3', 'many 4', 'many 5']) void enter(name, 'many');
  void enter('other', 'other');
  leaves[0]();
  await settled();
  expect(inside.slice(2)).toEqual(['other']);
});

test('a changed limit holds at once', async () => {
  const { current, limits, inside, enter } = house(1);
  await enter('a');
  void enter('b');
  void enter('c');
  current.overall = 3;
  limits.review();
  await settled();
  expect(inside).toEqual(['a', 'b', 'c']);
});

test('who stops waiting leaves the queue', async () => {
  const { inside, enter } = house(1);
  const leave = await enter('a');
  const stop = new AbortController();
  const waiting = enter('b', 's', stop.signal);
  void enter('c');
  stop.abort();
  await expect(waiting).rejects.toMatchObject({ code: 'request.cancelled' });
  leave();
  await settled();
  expect(inside).toEqual(['a', 'c']);
});

test('calls of a note are counted until the count is reset; −1 is no limit', () => {
  const { current, limits } = house(1, {}, 2);
  expect([limits.count('A'), limits.count('A'), limits.count('A'), limits.count('B')]).toEqual([
    true,
    true,
    false,
    true,
  ]);
  limits.resetCount('A');
  expect(limits.count('A')).toBe(true);
  current.callsPerNote = -1;
  for (let made = 0; made < 100; made++) expect(limits.count('A')).toBe(true);
});

test('how much is used up is told as it changes: what runs, what stands in line, and each note’s calls', async () => {
  const { limits, enter } = house(1, {}, 3);
  const leave = await enter('a');
  void enter('b');
  limits.count('A.md');
  limits.count('A.md');
  expect(limits.used.get()).toEqual({
    ...{ running: 1, waiting: 1, atOnce: 1, callsPerNote: 3 },
    notes: [{ path: 'A.md', calls: 2 }],
  });
  leave();
  await settled();
  limits.resetCount('A.md');
  expect(limits.used.get()).toMatchObject({ running: 1, waiting: 0, notes: [] });
});
