import { expect, test } from 'vitest';
import { AppError } from '../../src/contract/errors';
import { readAgentNote } from '../../src/core/agents';
import { createRetryLater } from '../../src/core/chat';
import type { OwnChange } from '../../src/core/vault';
import { createHouse } from './support/house';
import { says } from './support/scripted-provider';

/** An answer that its provider put off for a minute, and the wish to try it again. */
async function putOff(options: Parameters<typeof createHouse>[0] = { note: '#User : 1+1=?' }) {
  const { answer, ...house } = createHouse({
    ...options,
    scripts: [
      () => {
        const details = { provider: 'p', failure: 'rate-limit', status: 429, retryAfterMs: 60_000 } as const;
        throw new AppError('provider.failed', 'Too many requests.', details);
      },
      () => says('2.'),
    ],
  });
  const retryAt = house.clock.now() + 60_000;
  await answer();
  const told: unknown[] = [];
  let change: (what: OwnChange) => void = () => undefined;
  const start = () => {
    const log = { warn: () => undefined } as never;
    const onOwnChange = (listener: typeof change) => {
      change = listener;
      return () => undefined;
    };
    const vault = { ...house.vault, onOwnChange };
    return createRetryLater({ ...house, vault, log, onGivenUp: (what) => told.push(what) });
  };
  /** A screen comes in. */
  const watch = (later: ReturnType<typeof start>) => {
    void later.waiting.follow(new AbortController().signal);
  };
  return { ...house, retryAt, told, start, watch, change: (what: OwnChange) => change(what) };
}

test('an answer that was put off is asked for once its time has come, also by a core that was started again', async () => {
  const house = await putOff();
  const first = house.start();
  first.set({ path: house.path, retryAt: house.retryAt }, true);
  house.clock.advance(30_000);
  first.close();

  const second = house.start();
  second.resume();
  expect(second.waiting.get()).toEqual([]);
  house.watch(second);
  expect(second.waiting.get()).toEqual([{ path: house.path, retryAt: house.retryAt }]);
  house.clock.advance(29_000);
  expect(house.requests).toHaveLength(1);
  house.clock.advance(1_000);
  await expect.poll(() => house.note.text()).toBe('#User : 1+1=?\n\n#Claude : 2.\n\n#User : ');
  await expect.poll(() => second.waiting.get()).toEqual([]);
  expect(house.told).toEqual([]);
});

test('a wish that is taken back, one whose failure is gone, and one of more than an hour ago ask for nothing', async () => {
  const house = await putOff();
  const later = house.start();
  const wish = { path: house.path, retryAt: house.retryAt };
  later.set(wish, true);
  later.set(wish, false);
  later.set({ ...wish, retryAt: house.retryAt + 1 }, true);
  house.clock.advance(60_001);
  await expect.poll(() => later.waiting.get()).toEqual([]);

  later.set({ ...wish, path: 'Old.md', retryAt: house.clock.now() + 1 }, true);
  house.change({ kind: 'renamed', from: 'Old.md', to: 'New.md' });
  expect(later.waiting.get()).toMatchObject([{ path: 'New.md' }]);
  later.close();
  house.clock.advance(3_600_002);
  const next = house.start();
  house.watch(next);
  expect(next.waiting.get()).toEqual([]);
  expect(house.told).toEqual([{ code: 'not-retried', note: 'New.md', reason: null }]);
  expect(house.requests).toHaveLength(1);
});

test('what answers later, and was not chosen for it, needs the consent for the note', async () => {
  const agent = readAgentNote('.interlinear/agents/Poet.md', '---\napproval: allow\n---\n');
  const house = await putOff({ note: '#User : 1+1=?\n\n#Poet', agents: [agent] });
  expect(house.unagreed).toEqual(['agent: Poet\n  approval: allow\n  tools: *']);
  const later = house.start();
  house.watch(later);
  later.set({ path: house.path, retryAt: house.retryAt }, true);
  house.clock.advance(60_001);
  await expect.poll(() => house.note.text()).toBe('#User : 1+1=?\n\n#Poet : 2.\n\n#User : ');
  expect(house.unagreed).toHaveLength(2);
});
