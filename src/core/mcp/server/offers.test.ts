import { expect, test } from 'vitest';
import { createManualClock } from '../../../../tests/support/manual-clock';
import type { Connection } from '../client/connection';
import { createOffered } from './offers';

/** `ttlMs`: how long the server says that each of its lists holds. */
function offered(ttlMs: Readonly<Record<string, number | null>>) {
  const clock = createManualClock();
  const asked: string[] = [];
  const connection: Pick<Connection, 'list'> = {
    async list(what) {
      asked.push(what);
      return { items: [], endless: false, ttlMs: ttlMs[what] ?? null };
    },
  };
  return { clock, asked, offers: createOffered('files', (ask) => ask(connection as Connection), clock) };
}

test('resources hold as long as both lists that they are made of', async () => {
  const { clock, asked, offers } = offered({ resources: 60_000, 'resources/templates': 1_000 });
  await offers.resources();
  await offers.resources();
  expect(asked).toHaveLength(2);
  clock.advance(1_000);
  await offers.resources();
  expect(asked).toHaveLength(4);
});

test('where the server does not say of one of them how long it holds, both are asked for each time', async () => {
  const { asked, offers } = offered({ resources: 60_000 });
  await offers.resources();
  await offers.resources();
  expect(asked).toHaveLength(4);
});
