/** Work in pieces: between any two of them others may have a turn. */
export type Pieces<T> = Generator<void, T, void>;

/** Milliseconds after which the next piece waits: together with a last one they are still no stall. */
const most = 5;

/** Does short work in this thread, strictly in the order asked for, so that everybody else has a turn after some of it. */
export function createTurns(): <T>(work: Pieces<T>) => Promise<T> {
  /** Each does its next piece, and says whether it was the last. */
  const queue: (() => boolean)[] = [];
  let spent = 0;
  let isEnding = false;

  function goOn(): void {
    for (let next = queue[0]; next && spent <= most; next = queue[0]) {
      const from = performance.now();
      if (next()) queue.shift();
      spent += performance.now() - from;
    }
    if (isEnding) return;
    isEnding = true;
    setImmediate(() => {
      isEnding = false;
      spent = 0;
      if (queue.length > 0) goOn();
    });
  }

  return (work) =>
    new Promise((resolve, reject) => {
      queue.push(() => {
        try {
          const { done, value } = work.next();
          if (done) resolve(value);
          return done === true;
        } catch (error) {
          reject(error);
          return true;
        }
      });
      // Otherwise it is on its way.
      if (queue.length === 1) goOn();
    });
}
