import { expect, test } from 'vitest';
import { asSent, printDone, readDone, trimmedDone } from './done';

const now = new Date('2027-03-01T00:00:00.000Z');
const daysAgo = (days: number): string => new Date(now.getTime() - days * 86_400_000).toISOString();
const record = (count: number, at: string | undefined, name: string): string =>
  Array.from(
    { length: count },
    (_, index) => `\n${printDone({ client_id: `${name}${index}`, hash: 'h'.repeat(24), id: 'T-001', at })}`,
  ).join('');

const trimmedOf = (text: string) => trimmedDone({ kind: 'whole', text }, now);

test('a short record stays as it is, however old', () => {
  expect(trimmedDone({ kind: 'missing' }, now)).toBeNull();
  expect(trimmedOf(record(50, daysAgo(400), 'old'))).toBeNull();
});

test('a long record loses what is older than thirty days, and nothing younger', () => {
  const trimmed = trimmedOf(record(9000, daysAgo(31), 'old') + record(2000, daysAgo(29), 'new'));
  const done = readDone(trimmed).all.map(({ client_id }) => client_id);
  expect(done).toHaveLength(2000);
  expect(['new0', 'new1999', 'old0'].map((id) => done.includes(id))).toEqual([true, true, false]);
});

test('ops of an unknown day count as done now, and half a line as none', () => {
  const trimmed = trimmedOf(
    `${record(9000, daysAgo(31), 'old')}${record(2000, undefined, 'undated')}\n{"client_id":"ha`,
  );
  const [done] = readDone(trimmed).ofBatchesIn(new Set([asSent('undated7', 'h'.repeat(24))]));
  expect(done).toMatchObject({ client_id: 'undated7', at: now.toISOString() });
  expect(readDone(trimmed).all.length).toBe(2000);
});

test('of very many young ops the last 20,000 stay, and few are not worth a new record', () => {
  const { all } = readDone(trimmedOf(record(25_000, daysAgo(1), 'a')));
  expect(all.some(({ client_id }) => client_id === 'a4999')).toBe(false);
  expect(all).toHaveLength(20_000);
  expect(trimmedOf(record(20_500, daysAgo(1), 'a'))).toBeNull();
});
