import type { NoticeFacts } from '../../contract/app';
import type { WaitingRetry } from '../../contract/chat';
import { isAppError } from '../../contract/errors';
import { type Clock, createObservable, type Database, type Log, type Observable } from '../foundation';
import type { Notes } from '../notes';
import type { Vault } from '../vault';
import type { Chat } from './chat';

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
  const rows = database.table<{ vault: string; path: string; retry_at: number }>(`
    create table if not exists retries (
      vault text not null, path text not null, retry_at real not null, primary key (vault, path, retry_at)
    ) strict
  `);
  const put = (vault: string, path: string, retry_at: number) => void rows.put({ vault, path, retry_at });
  const drop = (vault: string, path: string, retry_at: number) => void rows.remove({ vault, path, retry_at });

  const waiting = createObservable<WaitingRetry[]>([]);
  let isWatched = false;
  let cancel: () => void = () => undefined;

  const root = () => (vault.state.get().kind === 'open' ? vault.root() : null);
  const wishes = () =>
    rows
      .all({ vault: root() ?? '' })
      .map(({ path, retry_at }) => ({ path, retryAt: retry_at }))
      .sort((a, b) => a.retryAt - b.retryAt);

  function look(soonest = 0): void {
    const now = clock.now();
    const all = wishes();
    waiting.set(all);
    cancel();
    const next = all[0];
    if (!next) return;
    const wait = Math.min(longestWait, Math.max(soonest, next.retryAt - now));
    cancel = clock.after(wait, () => void tryDue());
  }

  async function tryDue(): Promise<void> {
    let isBusy = false;
    for (const wish of wishes().filter(({ retryAt }) => retryAt <= clock.now()))
      isBusy = !(await tryAgain(wish)) || isBusy;
    look(isBusy ? busyWait : 0);
  }

  /** False where another answer is being written there. Never rejects. */
  async function tryAgain({ path, retryAt }: WaitingRetry): Promise<boolean> {
    const where = root();
    // Two apps may wait for the same: one of them takes it.
    if (where === null || !(await rows.exchange({ vault: where, path, retry_at: retryAt }, null)))
      return true;
    const hold = await notes.hold(path).catch(() => null);
    if (!hold) return true;
    const { session, release } = hold;
    try {
      const at = failureUntil(session.text(), retryAt);
      if (at === null) return true;
      await chat.run({ path, at, version: session.version, again: true });
    } catch (error) {
      if (isAppError(error, 'chat.busy')) {
        put(where, path, retryAt);
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
    for (const { path, retryAt } of wishes()) {
      if (retryAt > clock.now() - tooLate) continue;
      drop(where, path, retryAt);
      onGivenUp({ code: 'not-retried', note: path, reason: null });
    }
    look();
  }

  const moved = vault.onOwnChange((change) => {
    const where = root();
    if (change.kind !== 'renamed' || where === null) return;
    for (const { path, retryAt } of wishes()) {
      if (path !== change.from && !path.startsWith(`${change.from}/`)) continue;
      drop(where, path, retryAt);
      put(where, change.to + path.slice(change.from.length), retryAt);
    }
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
    set({ path, retryAt }, on) {
      const where = root();
      if (where === null) return;
      if (on) put(where, path, retryAt);
      else drop(where, path, retryAt);
      look();
    },
    resume,
    close() {
      cancel();
      moved();
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
