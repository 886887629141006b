import { randomUUID } from 'node:crypto';
import type { Hook } from '../../contract/hooks';
import { openFence, withoutRules } from '../../markdown';
import { fillInstructions, type Prompts } from '../agents';
import type { Chat } from '../chat';
import type { Clock } from '../foundation';
import type { Notes } from '../notes';
import type { SettingsStore } from '../settings';
import { runAlone, type Tools } from '../tools';
import type { Vault } from '../vault';

export interface RunHookParts {
  readonly vault: Pick<Vault, 'state'>;
  readonly notes: Pick<Notes, 'hold'>;
  readonly chat: Pick<Chat, 'run' | 'stop' | 'promptFilled'>;
  readonly tools: Pick<Tools, 'run'>;
  readonly prompts: Pick<Prompts, 'list' | 'fill'>;
  readonly settings: SettingsStore;
  readonly clock: Clock;
}

/** Does what a hook says, to its end. Nobody is asked; whatever goes wrong is thrown in words for a person. */
export async function runHook(
  { run: what }: Hook,
  path: string | null,
  signal: AbortSignal,
  parts: RunHookParts,
): Promise<void> {
  if ('tool' in what) return callTool(what.tool, what.arguments ?? {}, path, signal, parts);
  if (path === null) throw new Error('It does not say which note it works on (“in”).');
  if ('agent' in what) return ask(path, { agent: what.agent }, signal, parts);
  return askPrompt(path, what.prompt, signal, parts);
}

async function callTool(
  name: string,
  args: Readonly<Record<string, unknown>>,
  path: string | null,
  signal: AbortSignal,
  { vault, tools, clock }: RunHookParts,
): Promise<void> {
  const [server = '', tool = ''] = name.split(/\/(.*)/s);
  const state = vault.state.get();
  const values = {
    vault: state.kind === 'open' ? state.name : '',
    date: new Date(clock.now()).toISOString().slice(0, 10),
    note: path ?? '',
  };
  const outcome = await runAlone(
    tools,
    {
      path,
      by: 'hook',
      serverId: server,
      tool,
      arguments: filled(args, values) as Record<string, unknown>,
      unattended: { allow: [] },
    },
    signal,
  );
  if (outcome.status === 'ok') return;
  const text = outcome.parts.find((part) => part.kind === 'text')?.text.slice(0, 300);
  throw new Error(
    outcome.status === 'denied'
      ? `${name} is not allowed without asking, and nobody is asked here. Allow it always first.`
      : `${name} ended as “${outcome.status}”${text ? `: ${text}` : '.'}`,
  );
}

async function askPrompt(
  path: string,
  promptName: string,
  signal: AbortSignal,
  parts: RunHookParts,
): Promise<void> {
  const { notes, prompts, settings } = parts;
  const prompt = prompts.list.get().find(({ name }) => name.toLowerCase() === promptName.toLowerCase());
  if (!prompt) throw new Error(`There is no prompt “${promptName}”.`);
  const text = prompts.fill(prompt.path, { selection: '', note: path, arguments: {} });
  parts.chat.promptFilled({ name: prompt.name, text, selection: '' });
  const { session, release } = await notes.hold(path);
  try {
    const end = session.text().trimEnd().length;
    const closing = openFence(session.slice(0, end));
    const tag = settings.current.get().tags.user[0] ?? 'User';
    const words = withoutRules(text.trim(), session.slice(0, end));
    const insert = `${closing && `\n${closing}`}${end === 0 ? '' : '\n\n'}#${tag} : ${words}\n`;
    session.edit(`hook-${randomUUID()}`, { from: end, to: session.text().length, insert });
  } finally {
    release();
  }
  await ask(path, { prompt: prompt.name }, signal, parts);
}

async function ask(
  path: string,
  by: { readonly agent: string } | { readonly prompt: string },
  signal: AbortSignal,
  { notes, chat }: RunHookParts,
): Promise<void> {
  const { session, release } = await notes.hold(path);
  try {
    const { runId, finished } = await chat.run({
      path,
      at: session.text().trimEnd().length,
      version: session.version,
      by: 'hook',
      unattended: { allow: [] },
      ...by,
    });
    const end = () => chat.stop(runId);
    if (signal.aborted) end();
    signal.addEventListener('abort', end, { once: true });
    const run = await finished;
    signal.removeEventListener('abort', end);
    if (run.kind === 'answer' && run.phase.kind === 'failed') throw new Error(run.phase.error.message);
  } finally {
    release();
  }
}

/** The texts of the arguments with their places filled in, however deep they lie. */
function filled(value: unknown, values: Parameters<typeof fillInstructions>[1]): unknown {
  if (typeof value === 'string') return fillInstructions(value, values);
  if (Array.isArray(value)) return value.map((item) => filled(item, values));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, filled(item, values)]));
}
