import type { NoticeFacts } from '../../contract/app';
import type { RunPhase } from '../../contract/chat';
import { AppError } from '../../contract/errors';
import type { Hook, HookList, HookRun } from '../../contract/hooks';
import { type Database, type Log, type Observable, orCancelled, throwUnlessSeen } from '../foundation';
import type { Tools } from '../tools';
import type { Pins } from '../trust';
import { type Vault, vaultKey } from '../vault';
import { hookContribution } from './contributions';
import { type Happening, type HookSituation, isCalled } from './happening';
import { createHookEdits, type HookEdits } from './hook-edits';
import { createHookFile } from './hook-file';
import { createHookList } from './hook-list';
import { createHookRuns } from './hook-runs';
import type { RunHookParts } from './run-hook';
import { createRunningHooks } from './running-hooks';

/** What a vault's `hooks.json` has run when something happens. Nobody is asked: only tools that are allowed already run. */
export interface Hooks extends HookEdits {
  readonly list: Observable<HookList>;
  /** To be called when a note has been opened. */
  opened(path: string): void;
  /**
   * Resolves when everything has run that is to run before an answer in this note, when that takes too long, or when the
   * signal fires: that stops what runs. `onHook` is told the name of each as it begins.
   */
  answering(path: string, signal: AbortSignal, onHook: (name: string) => void): Promise<void>;
  answered(path: string, phase: RunPhase): void;
  /** As for an answer: resolves when everything has run that is to run before this call. */
  calling(
    call: { readonly by: string; readonly path: string | null; readonly tool: string },
    signal: AbortSignal,
  ): Promise<void>;
  /** Throws `vault.untrusted`, and `settings.changed` where the hook is not as it was `seen`. A hook that fails is no failure of this. */
  run(seen: Hook, path: string | null): Promise<HookRun>;
  close(): Promise<void>;
}

/** Milliseconds. */
const tick = 60_000;
/** What is to run before an answer or a call may hold it up for so long. */
const longestBefore = 60_000;

/** Long, since all that calls hooks, and what holds for each of them, stands here side by side. */
export function createHooks(
  parts: RunHookParts & {
    vault: Pick<Vault, 'state' | 'root' | 'id' | 'read' | 'write' | 'onOwnChange'>;
    tools: Pick<Tools, 'onCall'>;
    database: Database;
    log: Log;
    /** What the person agreed to in the vault that is open, and what they made there. */
    pins: () => Pins;
    onProblem: (problem: Extract<NoticeFacts, { code: 'hooks-file' | 'hook-failed' }>) => void;
  },
): Hooks {
  const { vault, tools, clock, log } = parts;
  const stop = new AbortController();
  const runs = createHookRuns(parts.database);
  const file = createHookFile({ vault, log });
  const { list, update: updateList } = createHookList({ ...parts, file, runs, isAgreed });
  const edits = createHookEdits({ file, pins: parts.pins, isTrusted });
  const running = createRunningHooks({
    ...parts,
    stopped: stop.signal,
    record(root, hook, run) {
      runs.add(root, hook.name, run);
      updateList();
    },
  });

  function isTrusted(): boolean {
    const state = vault.state.get();
    return state.kind === 'open' && state.trusted;
  }

  function isAgreed(hook: Hook): boolean {
    return parts.pins().isAgreed(hookContribution(hook));
  }

  const situationOf = (hook: Hook, path: string | null): HookSituation => ({
    isAgreed: () => isAgreed(hook),
    isRunning: () => running.isRunning(hook, path),
    isWrittenByHook: running.isWritten,
    waited: () => clock.now() - runs.since(vaultKey(vault), hook.name, clock.now()),
  });

  /** Resolves when all that it calls for has run; never rejects. */
  async function happened(
    happening: Happening,
    signal = stop.signal,
    onHook: (name: string) => void = () => undefined,
  ): Promise<void> {
    await file.settled();
    const state = vault.state.get();
    if (stop.signal.aborted || state.kind !== 'open') return;
    for (const hook of file.content.get()?.hooks ?? []) {
      if (signal.aborted) return;
      if (!isCalled(hook, happening, situationOf(hook, happening.path))) continue;
      onHook(hook.name);
      await running
        .run(hook, happening.event, happening.path, signal)
        .catch((error: unknown) => log.warn('hook not run', { hook: hook.name, error }));
    }
  }

  async function before(
    happening: Happening,
    stopped: AbortSignal,
    onHook: (name: string) => void = () => undefined,
  ): Promise<void> {
    await file.settled();
    if (!file.content.get()?.hooks.some(({ on }) => on === happening.event)) return;
    const late = new AbortController();
    const cancel = clock.after(longestBefore, () => late.abort());
    const signal = AbortSignal.any([stop.signal, stopped]);
    const tell = (name: string) => (late.signal.aborted ? undefined : onHook(name));
    await orCancelled(happened(happening, signal, tell), AbortSignal.any([signal, late.signal]))
      .catch(() => undefined)
      .finally(cancel);
  }

  const onTick = () => {
    void happened({ event: 'schedule', path: null });
    cancelTick = clock.after(tick, onTick);
  };
  let cancelTick = clock.after(tick, onTick);
  const stops = [
    file.content.onChange(updateList),
    vault.state.onChange(updateList),
    tools.onCall(({ by, path, serverName, tool, status }) => {
      if (by !== 'hook' && (status === 'ok' || status === 'error'))
        void happened({ event: 'after-tool-call', path, tool: `${serverName}/${tool}` });
    }),
    vault.onOwnChange((change) => {
      if (change.kind === 'written' && /\.md$/i.test(change.path))
        void happened({ event: 'saved', path: change.path });
    }),
  ];
  updateList();

  return {
    list,
    opened: (path) => void happened({ event: 'note-opened', path }),
    answering: (path, signal, onHook) => before({ event: 'before-answer', path }, signal, onHook),
    answered(path, phase) {
      if (phase.kind === 'finished' && phase.reason !== 'cancelled')
        void happened({ event: 'after-answer', path });
    },
    calling: async ({ by, path, tool }, signal) => {
      if (by !== 'hook') await before({ event: 'before-tool-call', path, tool }, signal);
    },
    ...edits,
    async run(seen, path) {
      await file.settled();
      const { name } = seen;
      const hook = file.content.get()?.hooks.find((one) => one.name === name);
      if (!hook) {
        const message = `There is no hook “${name}” any more.`;
        throw new AppError('request.invalid', message, { issues: [message] });
      }
      throwUnlessSeen(seen, hook);
      if (!isAgreed(hook) && !isTrusted())
        throw new AppError('vault.untrusted', 'Hooks of a folder run only once you trust it.', {});
      if (!isAgreed(hook) && parts.pins().agreedLines(hookContribution(hook)) !== null) {
        const message = `“${name}” has changed since you agreed to it. Look at what this folder brings.`;
        throw new AppError('vault.untrusted', message, {});
      }
      return running.run(hook, null, path, stop.signal);
    },
    async close() {
      stop.abort();
      cancelTick();
      for (const end of stops) end();
      file.close();
      await running.ended();
    },
  };
}
