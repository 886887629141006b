import picomatch from 'picomatch';
import type { NoticeFacts } from '../../contract/app';
import type { RunPhase } from '../../contract/chat';
import { AppError } from '../../contract/errors';
import type { Hook, HookEvent, HookList, HookRun } from '../../contract/hooks';
import {
  createObservable,
  type Database,
  type Log,
  type Observable,
  orCancelled,
  throwUnlessSeen,
} from '../foundation';
import type { Tools } from '../tools';
import type { Pins } from '../trust';
import { type Vault, vaultKey } from '../vault';
import { broughtHook } from './brought';
import { createHookFile } from './hook-file';
import { createHookRuns } from './hook-runs';
import { faultOf, withHook, withoutHook, withServer } from './hook-text';
import { type RunHookParts, runHook } from './run-hook';

/** What a vault's `hooks.json` has run when something happens. Nobody is asked: only tools that are allowed already run. */
export interface Hooks {
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
  save(hook: Hook, replaces: string | null, seen?: Hook): Promise<void>;
  setEnabled(name: string, enabled: boolean): Promise<void>;
  remove(name: string): Promise<void>;
  /** Where hooks name a server that has another name now; the answer are their names. */
  renameServer(from: string, to: string): Promise<string[]>;
  /** Throws `vault.untrusted`. A hook that fails is no failure of this. */
  run(name: string, path: string | null): Promise<HookRun>;
  close(): Promise<void>;
}

interface Happening {
  readonly event: HookEvent;
  readonly path: string | null;
  /** `server/tool`. */
  readonly tool?: string;
}

/** Milliseconds. */
const tick = 60_000;
/** What a hook writes into a note is saved a moment later: that alone must not call hooks again. */
const quiet = 3_000;
/** What is to run before an answer or a call may hold it up for so long. */
const longestBefore = 60_000;
const units = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

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
  const working = new Set<Promise<unknown>>();
  const quietUntil = new Map<string, number>();
  const busy = new Set<string>();
  const runs = createHookRuns(parts.database);
  const file = createHookFile({ vault, log });
  const list = createObservable<HookList>({ kind: 'no-vault' });
  let told = '';

  function show(): void {
    const state = vault.state.get();
    const content = file.content.get();
    if (state.kind !== 'open' || content === null) {
      list.set({ kind: 'no-vault' });
      return;
    }
    for (const { on, name } of content.hooks)
      if (on === 'schedule') runs.since(vaultKey(vault), name, clock.now());
    const last = runs.last(vaultKey(vault));
    list.set({
      kind: 'listed',
      trusted: state.trusted,
      hooks: content.hooks.map((hook) => ({
        ...hook,
        agreed: isAgreed(hook),
        lastRun: last.get(hook.name) ?? null,
      })),
      problems: [...content.problems],
    });
    const problems = [...content.problems];
    const wrong = problems.map(({ message, line }) => `line ${line}: ${message}`).join(' ');
    if (state.trusted && wrong !== '' && wrong !== told) parts.onProblem({ code: 'hooks-file', problems });
    told = wrong;
  }

  function isTrusted(): boolean {
    const state = vault.state.get();
    return state.kind === 'open' && state.trusted;
  }

  function isAgreed(hook: Hook): boolean {
    return parts.pins().isAgreed(broughtHook(hook));
  }

  function record(root: string, hook: Hook, run: HookRun): void {
    runs.add(root, hook.name, run);
    show();
  }

  async function runOne(
    hook: Hook,
    event: HookEvent | null,
    where: string | null,
    signal = stop.signal,
  ): Promise<HookRun> {
    const root = vaultKey(vault);
    const path = hook.in ?? where;
    const key = JSON.stringify([root, hook.name, path]);
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
      if (!stop.signal.aborted) record(root, hook, ended);
    }
    return ended;
  }

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
      if (!calls(hook, happening, vaultKey(vault))) continue;
      onHook(hook.name);
      const work = runOne(hook, happening.event, happening.path, signal);
      working.add(work);
      await work.catch((error: unknown) => log.warn('hook not run', { hook: hook.name, error }));
      working.delete(work);
    }
  }

  function calls(hook: Hook, { event, path, tool }: Happening, root: string): boolean {
    // What nobody agreed to is not even matched: that may cost anything.
    if (hook.on !== event || hook.enabled === false || !isAgreed(hook)) return false;
    const already = busy.has(JSON.stringify([root, hook.name, hook.in ?? path]));
    if (event === 'schedule') {
      const every = /^(\d+)([mhd])$/.exec(hook.every ?? '');
      const wait = Number(every?.[1]) * units[every?.[2] as keyof typeof units];
      return !already && clock.now() - runs.since(root, hook.name, clock.now()) >= wait;
    }
    if (event === 'saved' && (already || (path !== null && (quietUntil.get(path) ?? 0) > clock.now())))
      return false;
    if (hook.note !== undefined && (path === null || !picomatch.isMatch(path, hook.note))) return false;
    return hook.tool === undefined || (tool !== undefined && picomatch.isMatch(tool, hook.tool));
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

  const edit = (change: (text: string) => string) => file.edit(change);

  const onTick = () => {
    void happened({ event: 'schedule', path: null });
    cancelTick = clock.after(tick, onTick);
  };
  let cancelTick = clock.after(tick, onTick);
  const stops = [
    file.content.onChange(show),
    vault.state.onChange(show),
    tools.onCall(({ by, path, serverName, tool, status }) => {
      if (by !== 'hook' && (status === 'ok' || status === 'error'))
        void happened({ event: 'after-tool-call', path, tool: `${serverName}/${tool}` });
    }),
    vault.onOwnChange((change) => {
      if (change.kind === 'written' && /\.md$/i.test(change.path))
        void happened({ event: 'saved', path: change.path });
    }),
  ];
  show();

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
    save(hook, replaces, seen) {
      const taken = file.content.get()?.hooks.some(({ name }) => name === hook.name && name !== replaces);
      const fault = taken ? `There is a hook “${hook.name}” already.` : faultOf(hook);
      if (fault) throw new AppError('request.invalid', fault, { issues: [fault] });
      const before = file.content.get()?.hooks.find(({ name }) => name === replaces);
      throwUnlessSeen(seen, before);
      // What a person writes here they agree to; not what somebody else has slipped into the same hook.
      if (!before || isAgreed(before)) parts.pins().agree([broughtHook(hook)]);
      return edit((text) => withHook(text, hook, replaces));
    },
    setEnabled: (name, enabled) =>
      edit((text) => {
        const hook = file.content.get()?.hooks.find((one) => one.name === name);
        if (!hook) return text;
        const thing = broughtHook(hook);
        // One that was off when the folder was trusted was not asked for.
        const { pins } = parts;
        if (enabled && isTrusted() && pins().agreedLines(thing) === null) pins().agree([thing]);
        return withHook(text, { ...hook, enabled }, name);
      }),
    remove: (name) => edit((text) => withoutHook(text, name)),
    async renameServer(from, to) {
      const changed: string[] = [];
      for (const hook of file.content.get()?.hooks ?? []) {
        const renamed = withServer(hook, from, to);
        if (renamed === hook) continue;
        if (isAgreed(hook)) parts.pins().agree([broughtHook(renamed)]);
        await edit((text) => withHook(text, renamed, hook.name));
        changed.push(hook.name);
      }
      return changed;
    },
    async run(name, path) {
      await file.settled();
      const hook = file.content.get()?.hooks.find((one) => one.name === name);
      if (!hook) {
        const message = `There is no hook “${name}” any more.`;
        throw new AppError('request.invalid', message, { issues: [message] });
      }
      if (!isAgreed(hook) && !isTrusted())
        throw new AppError('vault.untrusted', 'Hooks of a folder run only once you trust it.', {});
      if (!isAgreed(hook) && parts.pins().agreedLines(broughtHook(hook)) !== null) {
        const message = `“${name}” has changed since you agreed to it. Look at what this folder brings.`;
        throw new AppError('vault.untrusted', message, {});
      }
      const work = runOne(hook, null, path);
      working.add(work);
      return work.finally(() => working.delete(work));
    },
    async close() {
      stop.abort();
      cancelTick();
      for (const end of stops) end();
      file.close();
      await Promise.allSettled([...working]);
    },
  };
}
