import type { NoticeFacts } from '../../contract/app';
import type { Hook, HookEvent, HookRun } from '../../contract/hooks';
import type { Log } from '../foundation';
import { type Vault, vaultKey } from '../vault';
import { type RunHookParts, runHook } from './run-hook';

/** Hooks while they run. */
export interface RunningHooks {
  /** A hook that fails is no failure of this. */
  run(hook: Hook, event: HookEvent | null, path: string | null, signal: AbortSignal): Promise<HookRun>;
  /** On the note that it would work on where something happens at `path`. */
  isRunning(hook: Hook, path: string | null): boolean;
  /** Whether a hook writes into this note, or did so a moment ago. */
  isWritten(path: string): boolean;
  /** Resolves when all that run now have ended. */
  ended(): Promise<void>;
}

/** Milliseconds. What a hook writes into a note is saved a moment later: that alone must not call hooks again. */
const quiet = 3_000;

export function createRunningHooks(
  parts: RunHookParts & {
    vault: Pick<Vault, 'state' | 'root' | 'id'>;
    log: Log;
    /** Runs that end afterwards are not recorded. */
    stopped: AbortSignal;
    /** Of the vault with this key; as it begins, and as it ends. */
    record: (vault: string, hook: Hook, run: HookRun) => void;
    onProblem: (problem: Extract<NoticeFacts, { code: 'hook-failed' }>) => void;
  },
): RunningHooks {
  const { vault, clock, log, stopped, record } = parts;
  const working = new Set<Promise<unknown>>();
  const quietUntil = new Map<string, number>();
  const busy = new Set<string>();

  const keyOf = (root: string, hook: Hook, path: string | null) =>
    JSON.stringify([root, hook.name, hook.in ?? path]);

  async function runOne(
    hook: Hook,
    event: HookEvent | null,
    where: string | null,
    signal: AbortSignal,
  ): Promise<HookRun> {
    const root = vaultKey(vault);
    const path = hook.in ?? where;
    const key = keyOf(root, hook, where);
    const writes = path !== null && !('tool' in hook.run);
    const at = clock.now();
    const begun: HookRun = { at, event, path, ms: 0, outcome: 'running', detail: '' };
    busy.add(key);
    if (writes) quietUntil.set(path, Number.POSITIVE_INFINITY);
    log.info('hook runs', { hook: hook.name, event });
    record(root, hook, begun);
    let ended: HookRun = begun;
    try {
      await runHook(hook, path, signal, parts);
      ended = { ...begun, ms: clock.now() - at, outcome: signal.aborted ? 'stopped' : 'ok' };
    } catch (error) {
      if (signal.aborted) {
        ended = { ...begun, ms: clock.now() - at, outcome: 'stopped' };
        return ended;
      }
      const detail = error instanceof Error ? error.message : String(error);
      ended = { ...begun, ms: clock.now() - at, outcome: 'failed', detail };
      log.warn('hook failed', { hook: hook.name, error });
      if (event !== null) parts.onProblem({ code: 'hook-failed', hook: hook.name, reason: detail });
    } finally {
      busy.delete(key);
      if (writes) quietUntil.set(path, clock.now() + quiet);
      if (!stopped.aborted) record(root, hook, ended);
    }
    return ended;
  }

  return {
    run(hook, event, path, signal) {
      const work = runOne(hook, event, path, signal);
      working.add(work);
      return work.finally(() => working.delete(work));
    },
    isRunning: (hook, path) => busy.has(keyOf(vaultKey(vault), hook, path)),
    isWritten: (path) => (quietUntil.get(path) ?? 0) > clock.now(),
    async ended() {
      await Promise.allSettled([...working]);
    },
  };
}
