import { useEffect, useRef } from 'react';

const restMs = 400;

/** Saves once nothing was moved for a while; what was moved last is saved although the view is left. */
export function useRestedSave(save: () => Promise<void>, isBusy: () => boolean) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  /** One after the other: each goes onto what the last one left. */
  const line = useRef<Promise<unknown>>(Promise.resolve());
  function inLine<T>(work: () => Promise<T>): Promise<T> {
    const turn = line.current.then(work);
    line.current = turn.catch(() => undefined);
    return turn;
  }

  /** Saves what was moved last without waiting for more. */
  function saveNow(): void {
    if (timer.current === undefined) return;
    clearTimeout(timer.current);
    timer.current = undefined;
    void inLine(save);
  }

  function saveSoon(): void {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      timer.current = undefined;
      if (isBusy()) return saveSoon();
      void inLine(save);
    }, restMs);
  }

  const leaving = useRef(saveNow);
  leaving.current = saveNow;
  useEffect(() => () => leaving.current(), []);

  return { inLine, saveNow, saveSoon, isWaiting: () => timer.current !== undefined };
}
