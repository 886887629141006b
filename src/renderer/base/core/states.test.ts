import { expect, test } from 'vitest';
import { live } from '../../gallery/live';
import type { Core } from './core';
import { createStates } from './states';

function setUp() {
  const value = live<unknown>('first');
  let opened = 0;
  const core = {
    stream: (_name: string, _input: unknown, { signal }: { signal: AbortSignal }) => {
      opened++;
      return value.follow(signal);
    },
  } as unknown as Core;
  const pictures = createStates(core);
  return {
    value,
    picture: pictures.follow('health.report', {}),
    again: pictures.follow('health.report', {}),
    opened: () => opened,
  };
}

const nextChange = (subscribe: (changed: () => void) => () => void) =>
  new Promise<void>((resolve) => {
    const leave = subscribe(() => {
      leave();
      resolve();
    });
  });

test('everybody who looks at a picture shares one stream', async () => {
  const { picture, again, opened } = setUp();
  const stay = picture.subscribe(() => undefined);
  await nextChange(again.subscribe);
  expect(picture.read().item).toBe('first');
  expect(again.read()).toBe(picture.read());
  expect(opened()).toBe(1);
  stay();
});

test('a picture shows its newest item', async () => {
  const { value, picture } = setUp();
  await nextChange(picture.subscribe);
  const changed = nextChange(picture.subscribe);
  value.set('second');
  await changed;
  expect(picture.read().item).toBe('second');
});

test('a stream that fails says why and is opened again by the next who looks', async () => {
  let opened = 0;
  const broken = new Error('broken');
  const core = {
    // biome-ignore lint/correctness/useYield: it fails before its first item.
    async *stream() {
      opened++;
      throw broken;
    },
  } as unknown as Core;
  const picture = createStates(core).follow('health.report', {});
  await nextChange(picture.subscribe);
  expect(picture.read()).toEqual({ item: undefined, error: broken });
  await nextChange(picture.subscribe);
  expect(opened).toBe(2);
});
