import { randomUUID } from 'node:crypto';
import picomatch from 'picomatch';
import { fillInstructions, type Prompts } from '../agents';
import type { Clock, Log } from '../foundation';
import type { Notes } from '../notes';
import type { BroughtThing, SettingsDoor } from '../settings';
import type { Tools } from '../tools';
import type { Vault } from '../vault';
import type { Chat } from './door';
import { broughtHook, type Hook, type HookEvent, readHooks } from './hook-file';

/** What a vault's `hooks.json` has run when something happens. Nobody is asked: only tools that are allowed already run. */
export interface Hooks {
  /** To be called when a note has been opened. */
  opened(path: string): void;
  close(): Promise<void>;
}

interface Happening {
  readonly event: HookEvent;
  readonly path: string | null;
  /** `server/tool`. */
  readonly tool?: string;
}

const tick = 60_000;
/** What a hook does to a note must not call hooks again: for so long after its work the note's events are left alone. */
const quiet = 3_000;

export function createHooks(parts: {
  vault: Pick<Vault, 'state' | 'root' | 'onOwnChange'>;
  notes: Pick<Notes, 'hold'>;
  chat: Pick<Chat, 'run' | 'runs' | 'stop'>;
  tools: Pick<Tools, 'find' | 'run' | 'onCall'>;
  prompts: Pick<Prompts, 'list' | 'fill'>;
  settings: SettingsDoor;
  clock: Clock;
  log: Log;
  /** Whether the person agreed to what this hook does. */
  isAgreed: (thing: BroughtThing) => boolean;
  onProblem: (detail: string) => void;
}): Hooks {
  const { vault, notes, chat, tools, prompts, clock, log } = parts;
  const stop = new AbortController();
  const working = new Set<Promise<void>>();
  const quietUntil = new Map<string, number>();
  const startedAt = clock.now();
  const lastRun = new Map<string, number>();
  const seenRuns = new Set<string>();
  const seenCalls = new Set<string>();
  let cancelTick: () => void;

  function happened(happening: Happening): void {
    const state = vault.state.get();
    if (stop.signal.aborted || state.kind !== 'open' || !state.trusted) return;
    if (happening.path !== null && (quietUntil.get(happening.path) ?? 0) > clock.now()) return;
    const work = runAll(happening, vault.root()).catch((error: unknown) =>
      log.warn('hooks not run', { event: happening.event, error }),
    );
    working.add(work);
    void work.finally(() => working.delete(work));
  }

  async function runAll(happening: Happening, root: string): Promise<void> {
    const { hooks, problem } = await readHooks(root);
    if (problem !== null) parts.onProblem(`.interlinear/hooks.json: ${problem}`);
    for (const hook of hooks.filter((one) => parts.isAgreed(broughtHook(one)) && matches(one, happening))) {
      const path = happening.path ?? hook.in ?? null;
      if (path !== null) quietUntil.set(path, Number.POSITIVE_INFINITY);
      try {
        log.info('hook runs', { hook: hook.name, event: happening.event });
        await run(hook, path);
      } catch (error) {
        log.warn('hook failed', { hook: hook.name, error });
        parts.onProblem(`“${hook.name}”: ${error instanceof Error ? error.message : String(error)}`);
      } finally {
        if (path !== null) quietUntil.set(path, clock.now() + quiet);
      }
    }
  }

  function matches(hook: Hook, { event, path, tool }: Happening): boolean {
    if (hook.on !== event) return false;
    if (event === 'schedule') {
      if (hook.every === undefined) return false;
      if (clock.now() - (lastRun.get(hook.name) ?? startedAt) < hook.every) return false;
      lastRun.set(hook.name, clock.now());
      return true;
    }
    if (hook.note !== undefined && (path === null || !picomatch.isMatch(path, hook.note))) return false;
    return hook.tool === undefined || (tool !== undefined && picomatch.isMatch(tool, hook.tool));
  }

  async function run({ run: what }: Hook, path: string | null): Promise<void> {
    if ('tool' in what) return callTool(what.tool, what.arguments, path);
    if (path === null) throw new Error('It says of no note what it works on (`in`).');
    if ('agent' in what) return ask(path, what.agent);
    const prompt = prompts.list.get().find(({ name }) => name.toLowerCase() === what.prompt.toLowerCase());
    if (!prompt) throw new Error(`There is no prompt “${what.prompt}”.`);
    const text = prompts.fill(prompt.path, { selection: '', note: path, arguments: {} });
    const { session, release } = await notes.hold(path);
    try {
      const end = session.text().trimEnd().length;
      const tag = parts.settings.current.get().tags.user[0] ?? 'User';
      const insert = `${end === 0 ? '' : '\n\n'}#${tag} : ${text.trim()}\n`;
      session.edit(`hook-${randomUUID()}`, { from: end, to: session.text().length, insert });
    } finally {
      release();
    }
    await ask(path, undefined);
  }

  async function callTool(
    name: string,
    args: Readonly<Record<string, unknown>>,
    path: string | null,
  ): Promise<void> {
    const [server = '', tool = ''] = name.split(/\/(.*)/s);
    const entry = tools.find(server, tool);
    if (!entry) throw new Error(`There is no tool “${name}”.`);
    const state = vault.state.get();
    const values = {
      vault: state.kind === 'open' ? state.name : '',
      date: new Date(clock.now()).toISOString().slice(0, 10),
      note: path ?? '',
    };
    const filled = Object.entries(args).map(([key, value]) => [
      key,
      typeof value === 'string' ? fillInstructions(value, values) : value,
    ]);
    const outcome = await tools.run(
      {
        callId: randomUUID(),
        runId: null,
        path,
        by: 'hook',
        serverId: entry.serverId,
        tool: entry.name,
        arguments: Object.fromEntries(filled),
        unattended: { allow: [] },
        earlier: [],
      },
      stop.signal,
      () => undefined,
    );
    if (outcome.status !== 'ok') throw new Error(`${name} ended as “${outcome.status}”.`);
  }

  async function ask(path: string, agent: string | undefined): Promise<void> {
    const { session, release } = await notes.hold(path);
    try {
      const { runId, finished } = await chat.run({
        path,
        at: session.text().trimEnd().length,
        version: session.version,
        unattended: { allow: [] },
        ...(agent !== undefined && { agent }),
      });
      seenRuns.add(runId).add(`${runId} done`);
      const end = () => chat.stop(runId);
      stop.signal.addEventListener('abort', end, { once: true });
      await finished;
      stop.signal.removeEventListener('abort', end);
    } finally {
      release();
    }
  }

  function look(): void {
    for (const { runId, path, finishedAt, calls } of chat.runs.get()) {
      if (!seenRuns.has(runId)) {
        seenRuns.add(runId);
        happened({ event: 'before-answer', path });
      }
      for (const { callId, server, tool, state } of calls) {
        if (state !== 'running' || seenCalls.has(callId)) continue;
        seenCalls.add(callId);
        happened({ event: 'before-tool-call', path, tool: `${server}/${tool}` });
      }
      if (finishedAt !== null && !seenRuns.has(`${runId} done`)) {
        seenRuns.add(`${runId} done`);
        happened({ event: 'after-answer', path });
      }
    }
  }

  const onTick = () => {
    happened({ event: 'schedule', path: null });
    cancelTick = clock.after(tick, onTick);
  };
  cancelTick = clock.after(tick, onTick);
  const stops = [
    chat.runs.onChange(look),
    tools.onCall(({ by, path, serverName, tool }) => {
      if (by !== 'hook') happened({ event: 'after-tool-call', path, tool: `${serverName}/${tool}` });
    }),
    vault.onOwnChange((change) => {
      if (change.kind === 'written' && /\.md$/i.test(change.path))
        happened({ event: 'saved', path: change.path });
    }),
  ];

  return {
    opened: (path) => happened({ event: 'note-opened', path }),
    async close() {
      stop.abort();
      cancelTick();
      for (const end of stops) end();
      await Promise.allSettled([...working]);
    },
  };
}
