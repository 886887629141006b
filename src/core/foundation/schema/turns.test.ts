import { expect, test } from 'vitest';
import { createTurns, type Pieces } from './turns';

function busy(ms: number): void {
  for (const until = performance.now() + ms; performance.now() < until; );
}

test('what is asked for first is answered first, however many pieces it has', async () => {
  const inTurns = createTurns();
  const answers: number[] = [];
  function* work(pieces: number): Pieces<number> {
    for (let piece = 0; piece < pieces; piece++) {
      busy(2);
      yield;
    }
    return pieces;
  }
  await Promise.all([9, 0, 5, 1].map((pieces) => inTurns(work(pieces)).then((of) => answers.push(of))));
  expect(answers).toEqual([9, 0, 5, 1]);
});

test('others have a turn after some of it, also within one work and between many', async () => {
  const inTurns = createTurns();
  let turns = 0;
  let isOver = false;
  const others = () => {
    turns++;
    if (!isOver) setImmediate(others);
  };
  setImmediate(others);
  function* work(): Pieces<void> {
    busy(6);
    yield;
    busy(6);
  }
  await Promise.all([inTurns(work()), inTurns(work()), inTurns(work())]);
  isOver = true;
  expect(turns).toBeGreaterThanOrEqual(5);
});

test('what fails is told to whoever asked, and what comes after it goes on', async () => {
  const inTurns = createTurns();
  const failing = inTurns(
    (function* (): Pieces<void> {
      yield;
      throw new Error('broken');
    })(),
  );
  const next = inTurns(
    (function* (): Pieces<string> {
      yield;
      return 'done';
    })(),
  );
  await expect(failing).rejects.toThrow('broken');
  expect(await next).toBe('done');
});
