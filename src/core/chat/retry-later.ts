import type { NoticeFacts } from '../../contract/app';
import type { WaitingRetry } from '../../contract/chat';
import { isAppError } from '../../contract/errors';
import { type Clock, createObservable, type Database, type Log, type Observable } from '../foundation';
import type { Notes } from '../notes';
import type { Vault } from '../vault';
import type { Chat } from './chat';
import { createRetryWishes } from './retry-wishes';

/** Failed answers that the person wants tried again once their provider allows it, with a window or without. */
export interface RetryLater {
  /** Nothing is asked before a screen has come in: a command that opens a vault for a moment leaves the wishes alone. */
  readonly waiting: Pick<Observable<WaitingRetry[]>, 'get' | 'follow'>;
  set(wish: WaitingRetry, on: boolean): void;
  /** Takes up what was wished for in the vault that is open now. */
  resume(): void;
  close(): void;
}

/** Milliseconds. Whoever comes back later than this after the time has other things in mind. */
const tooLate = 3_600_000;
/** Timers do not tick in sleep, and while another answer is being written. */
const longestWait = 30_000;
const busyWait = 1_000;

/** One closure, since every look at the wishes moves the one timer that the next look waits for. */
export function createRetryLater({
  vault,
  notes,
  chat,
  database,
  clock,
  log,
  onGivenUp,
}: {
  readonly vault: Pick<Vault, 'state' | 'root' | 'onOwnChange'>;
  readonly notes: Pick<Notes, 'hold'>;
  readonly chat: Pick<Chat, 'run'>;
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly onGivenUp: (notice: Extract<NoticeFacts, { code: 'not-retried' }>) => void;
}): RetryLater {
  const wishes = createRetryWishes(database);
  const waiting = createObservable<WaitingRetry[]>([]);
  let isWatched = false;
  let cancel: () => void = () => undefined;

  const root = () => (vault.state.get().kind === 'open' ? vault.root() : null);
  const present = () => wishes.of(root() ?? '');

  function look(soonest = 0): void {
    const now = clock.now();
    const all = present();
    waiting.set(all);
    cancel();
    const next = all[0];
    if (!next) return;
    const wait = Math.min(longestWait, Math.max(soonest, next.retryAt - now));
    cancel = clock.after(wait, () => void tryDue());
  }

  async function tryDue(): Promise<void> {
    let isBusy = false;
    for (const wish of present().filter(({ retryAt }) => retryAt <= clock.now()))
      isBusy = !(await tryAgain(wish)) || isBusy;
    look(isBusy ? busyWait : 0);
  }

  /** False where another answer is being written there. Never rejects. */
  async function tryAgain({ path, retryAt }: WaitingRetry): Promise<boolean> {
    const where = root();
    // Two apps may wait for the same: one of them takes it.
    if (where === null || !(await wishes.take(where, { path, retryAt }))) return true;
    const hold = await notes.hold(path).catch(() => null);
    if (!hold) return true;
    const { session, release } = hold;
    try {
      const at = failureUntil(session.text(), retryAt);
      if (at === null) return true;
      await chat.run({ path, at, version: session.version, again: true });
    } catch (error) {
      if (isAppError(error, 'chat.busy')) {
        wishes.put(where, { path, retryAt });
        return false;
      }
      log.warn('answer not tried again', { path, error });
      const reason = error instanceof Error ? error.message : String(error);
      onGivenUp({ code: 'not-retried', note: path, reason });
    } finally {
      release();
    }
    return true;
  }

  function resume(): void {
    const where = root();
    if (!isWatched || where === null) return;
    for (const wish of present()) {
      if (wish.retryAt > clock.now() - tooLate) continue;
      wishes.drop(where, wish);
      onGivenUp({ code: 'not-retried', note: wish.path, reason: null });
    }
    look();
  }

  const stopFollowing = vault.onOwnChange((change) => {
    const where = root();
    if (change.kind !== 'renamed' || where === null) return;
    wishes.renamed(where, change.from, change.to);
    look();
  });

  return {
    waiting: {
      get: waiting.get,
      follow(signal) {
        if (!isWatched) {
          isWatched = true;
          resume();
        }
        return waiting.follow(signal);
      },
    },
    set(wish, on) {
      const where = root();
      if (where === null) return;
      if (on) wishes.put(where, wish);
      else wishes.drop(where, wish);
      look();
    },
    resume,
    close() {
      cancel();
      stopFollowing();
    },
  };
}

/** Where the failure begins that says this time; null where it is not there any more. */
function failureUntil(text: string, retryAt: number): number | null {
  const facts = text.lastIndexOf(` retry-at=${new Date(retryAt).toISOString()}`);
  if (facts === -1) return null;
  const head = text.lastIndexOf('> [!failure]', facts);
  return head === -1 ? null : head;
}
