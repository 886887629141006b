/** How many items may be on their way to a reader that has not taken them yet. */
export interface Credit {
  /** Resolves when an item may be sent, or the signal has fired. */
  available(signal: AbortSignal): Promise<void>;
  /** True for an item whose taking the reader should report. */
  spend(): boolean;
  renew(): void;
}

export function createCredit(window: number): Credit {
  // Asked for at half the window, so that a quick reader never makes the sender wait.
  const step = Math.ceil(window / 2);
  let room = window;
  let sent = 0;
  let wake: () => void = () => undefined;
  return {
    available(signal) {
      if (room > 0 || signal.aborted) return Promise.resolve();
      return new Promise((resolve) => {
        const finish = () => {
          signal.removeEventListener('abort', finish);
          resolve();
        };
        signal.addEventListener('abort', finish);
        wake = finish;
      });
    },
    spend() {
      room--;
      sent++;
      return sent % step === 0;
    },
    renew() {
      // More than was sent cannot have been taken.
      room = Math.min(window, room + step);
      wake();
    },
  };
}
