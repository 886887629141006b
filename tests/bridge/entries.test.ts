import { expect, test } from 'vitest';
import { z } from 'zod';
import { createBridgeClient, createWirePair, serveBridge } from '../../src/bridge';
import { call, list, state } from '../../src/contract/define';
import { JsonObject } from '../../src/contract/json';

const Entry = z.object({ serverName: z.string(), tool: z.string(), arguments: JsonObject });
const operations = {
  'all.shown': state(z.object({}), z.array(Entry)),
  'all.nested': state(z.object({}), z.object({ entries: z.array(Entry), paused: z.boolean() })),
  'all.asked': list(z.object({}), z.array(Entry)),
  'one.asked': call(z.object({}), z.array(Entry)),
};

const entry = (tool: string, args: unknown) =>
  ({ serverName: 's', tool, arguments: args }) as z.infer<typeof Entry>;
const entries = [
  entry('first', { a: 1 }),
  entry('bad', { n: Number.POSITIVE_INFINITY }),
  entry('worse', null),
  null as unknown as z.infer<typeof Entry>,
  entry('last', JSON.parse('{"__proto__":{"b":2}}')),
];

function connected() {
  const [near, far] = createWirePair();
  const told: string[] = [];
  async function* grows() {
    yield entries;
    yield [...entries, entry('new', {})];
  }
  async function* once<T>(value: T) {
    yield value;
  }
  serveBridge(
    far,
    operations,
    {
      'all.shown': grows,
      'all.nested': () => once({ entries, paused: true }),
      'all.asked': () => entries,
      'one.asked': () => entries,
    },
    (error, operation) => told.push(`${operation}: ${error instanceof Error ? error.message : error}`),
  );
  return { client: createBridgeClient(near, operations), told };
}

test('one entry that cannot cross costs that entry and never the list, and is told by name and once', async () => {
  const { client, told } = connected();
  const seen: string[][] = [];
  for await (const shown of client.stream('all.shown', {})) seen.push(shown.map(({ tool }) => tool));
  expect(seen).toEqual([
    ['first', 'last'],
    ['first', 'last', 'new'],
  ]);
  expect(told).toEqual([
    expect.stringMatching(/^all\.shown: “s\/bad” was left out: arguments: It holds a number/),
    expect.stringMatching(/^all\.shown: “s\/worse” was left out: arguments: /),
    expect.stringMatching(/^all\.shown: “without a name” was left out: whole: /),
  ]);
});

test('also where the list stands within something else, or is the answer to a question', async () => {
  const { client, told } = connected();
  for await (const { entries: shown, paused } of client.stream('all.nested', {}))
    expect([shown.map(({ tool }) => tool), paused]).toEqual([['first', 'last'], true]);
  expect(told[0]).toMatch(/^all\.nested: “s\/bad” was left out: arguments: /);
  const answered = await client.call('all.asked', {});
  expect(answered.map(({ tool }) => tool)).toEqual(['first', 'last']);
});

test('nothing of what crosses is dropped on the way', async () => {
  const { client } = connected();
  const answered = await client.call('all.asked', {});
  expect(JSON.stringify(answered.at(-1)?.arguments)).toBe('{"__proto__":{"b":2}}');
});

test('what is no list to look at comes whole or not at all', async () => {
  const { client } = connected();
  await expect(client.call('one.asked', {})).rejects.toMatchObject({ code: 'internal' });
});

/** A list of which one wrong entry is said at a time. */
const picky = {
  'all.picky': list(
    z.object({ wrong: z.number() }),
    z.array(z.number()).superRefine((numbers, context) => {
      const at = numbers.findIndex((n) => n < 0);
      if (at !== -1) context.addIssue({ code: 'custom', path: [at], message: 'below zero' });
    }),
  ),
};

test('entries that are found wrong one after the other are left out up to ten times; then the list fails', async () => {
  const [near, far] = createWirePair();
  const handlers = { 'all.picky': ({ wrong }: { wrong: number }) => [1, ...Array(wrong).fill(-1), 2] };
  serveBridge(far, picky, handlers, () => undefined);
  const client = createBridgeClient(near, picky);
  expect(await client.call('all.picky', { wrong: 10 })).toEqual([1, 2]);
  await expect(client.call('all.picky', { wrong: 11 })).rejects.toMatchObject({ code: 'internal' });
});

test('what fails for something else than an entry fails at once, without telling of entries', async () => {
  const [near, far] = createWirePair();
  const told: unknown[] = [];
  let looks = 0;
  const refused = {
    'all.refused': list(
      z.object({}),
      z.array(z.number()).refine(() => {
        looks++;
        return false;
      }),
    ),
  };
  serveBridge(far, refused, { 'all.refused': () => [1] }, (error) => told.push(error));
  const client = createBridgeClient(near, refused);
  await expect(client.call('all.refused', {})).rejects.toMatchObject({ code: 'internal' });
  expect(looks).toBe(1);
  expect(told).toHaveLength(1);
});
