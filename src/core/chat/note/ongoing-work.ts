/** What goes on in notes, so that closing can wait for it. */
export interface OngoingWork {
  add<T>(work: Promise<T>): Promise<T>;
  /** Stops again what was begun while the rest was waited for. */
  stopped(stop: () => void): Promise<void>;
}

export function createOngoingWork(): OngoingWork {
  const ongoing = new Set<Promise<unknown>>();
  return {
    add(work) {
      ongoing.add(work);
      const remove = () => void ongoing.delete(work);
      work.then(remove, remove);
      return work;
    },
    async stopped(stop) {
      while (ongoing.size > 0) {
        stop();
        await Promise.allSettled([...ongoing]);
      }
    },
  };
}
