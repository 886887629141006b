import { expect, test } from 'vitest';
import { createEventReader } from './events';
import { createIntake } from './intake';
import type { BrokenMessage } from './read-message';

const message = (n: number) => `{"jsonrpc":"2.0","id":${n},"result":{}}`;

function reader(limit = 10_000) {
  const broken: BrokenMessage[] = [];
  return {
    broken,
    events: createEventReader({ limit, intake: createIntake(), onBroken: (one) => broken.push(one) }),
  };
}

test('events come through however their bytes were cut and their lines ended', () => {
  const lines = [
    '\ufeffid: 1',
    ': nothing',
    'retry: 5000',
    `data: ${message(1)}`,
    '',
    'event: endpoint',
    'data:/x',
    '',
    '',
  ];
  const wanted = `id: 1\nretry: 5000\ndata: ${message(1)}\n\nevent: endpoint\ndata: /x\n\n`;
  for (const end of ['\n', '\r', '\r\n'])
    for (let size = 1; size < 40; size++) {
      const { events, broken } = reader();
      const bytes = Buffer.from(lines.join(end) + end);
      let out = '';
      for (let at = 0; at < bytes.length; at += size) out += events.add(bytes.subarray(at, at + size));
      expect(out).toBe(wanted);
      expect(broken).toEqual([]);
    }
});

test('a message in several lines is one message', () => {
  const { events } = reader();
  const out = String(events.add(Buffer.from('data: {"jsonrpc":"2.0","id":1,\ndata: "result":{}}\n\n')));
  expect(out).toBe(`data: ${message(1)}\n\n`);
});

test('what is no message is told and left out; the place in the stream is kept', () => {
  const { events, broken } = reader();
  const out = events.add(
    Buffer.from(`id: 4\ndata: {"jsonrpc":"2.0","id":3,"result":null}\n\ndata: ${message(5)}\n\n`),
  );
  expect(String(out)).toBe(`id: 4\n\ndata: ${message(5)}\n\n`);
  expect(broken.map(({ answers }) => answers)).toEqual([3]);
});

test('an event of endless lines ends the stream long before the memory', () => {
  const { events } = reader(100_000);
  const flood = Buffer.from('data:\n'.repeat(1_000));
  expect(() => {
    for (let n = 0; n < 1_000; n++) events.add(flood);
  }).toThrow('a message of more than');
});

test('a server that wants to be asked again at once waits for a second', () => {
  expect(String(reader().events.add(Buffer.from('retry: 0\n\n')))).toBe('retry: 1000\n\n');
});

test('an event without a text still says where the stream can be taken up again', () => {
  const { events, broken } = reader();
  const out = String(events.add(Buffer.from('id: 7\nretry: 5000\ndata: \n\n')));
  expect(out).toBe('id: 7\nretry: 5000\ndata: \n\n');
  expect(broken).toEqual([]);
});

test('an event that is no message is as short as what is kept of it', () => {
  const { events, broken } = reader(100_000);
  const event = (length: number) => Buffer.from(`event: endpoint\ndata: /${'x'.repeat(length - 1)}\n\n`);
  expect(events.add(event(8_192)).length).toBeGreaterThan(8_192);
  expect(events.add(event(8_193)).toString()).not.toContain('data');
  expect(broken.map(({ fault }) => fault)).toEqual([{ code: 'long-value', most: 8_192, what: 'event' }]);
});
