import { setTimeout } from 'node:timers/promises';
import type { NoteRun } from '../../contract/chat';
import { AppError, deserializeError } from '../../contract/errors';
import type { SaveState } from '../../contract/notes';
import { type ProviderConfig, vendorTag, type WireFormat } from '../../contract/providers';
import type { App } from '../../core/app';
import type { RunEvent, RunRequest } from '../../core/chat';
import type { NoteSession } from '../../core/notes';
import { type CommandLine, exitCodes, withApp } from './command-line';
import { errorLine, exitCodeOf } from './failures';
import { findNote, type NotePlace, noteForQuestion } from './note-place';
import { createPrinter } from './printer';
import { escaped, sayWhatNoteWants, sayWhatWaits } from './what-waits';

export interface AskOptions {
  readonly provider?: string;
  readonly format?: WireFormat;
  readonly model?: string;
  readonly baseUrl?: string;
  readonly agent?: string;
  readonly tools?: readonly string[];
  readonly allow?: readonly string[];
  readonly allowSending?: readonly string[];
  readonly rounds?: number;
  readonly vault?: string;
  readonly json?: boolean;
  readonly events?: boolean;
}

/** Produces the answer in the note and shows it as it comes. */
export async function ask(note: string, options: AskOptions, commandLine: CommandLine): Promise<number> {
  const form = options.events ? 'events' : options.json ? 'json' : 'text';
  const printer = createPrinter(form, commandLine);
  let place: NotePlace | undefined;
  try {
    place = note === '-' ? await noteForQuestion(await question(commandLine)) : findNote(note, options.vault);
    const { vault, note: path } = place;
    const { run, save } = await withApp(
      commandLine,
      async (app) => {
        const recent = app.settings.current.get().recentVaults;
        await app.openVault(vault);
        sayWhatWaits(app, commandLine);
        // A question from standard input leaves no trace, neither in the list of vaults nor among versions.
        if (note === '-') {
          app.settings.change({ recentVaults: recent });
          await app.versions.forgetVault();
        }
        const onEvent = (event: RunEvent) => {
          if (event.kind === 'notice') commandLine.err(`[${escaped(event.text)}]\n`);
          printer.event(event);
        };
        const code = answer(app, path, request(options, app), onEvent, commandLine);
        return code.finally(() => sayWhatNoteWants(app, note, commandLine));
      },
      { json: form !== 'text' },
    );
    if (run.kind === 'hook') return exitCodes.interrupted;
    if (run.phase.kind === 'failed') throw deserializeError(run.phase.error);
    printer.finished(run);
    if (save.kind !== 'saved' && note !== '-') {
      commandLine.err(`${notInNote(save)}\n`);
      return exitCodes.failed;
    }
    const { phase } = run;
    const isCut = phase.kind === 'broke-off' || (phase.kind === 'finished' && phase.reason === 'cancelled');
    return isCut ? exitCodes.interrupted : exitCodes.ok;
  } catch (error) {
    printer.failed(errorLine(error, commandLine));
    return commandLine.interrupted.aborted ? exitCodes.interrupted : exitCodeOf(error);
  } finally {
    await place?.remove();
  }
}

async function question({ readInput }: CommandLine): Promise<string> {
  const text = await readInput();
  if (text.trim() === '')
    throw new AppError('request.invalid', 'Standard input held no message.', { issues: [] });
  return text;
}

async function answer(
  app: App,
  path: string,
  extra: Partial<RunRequest>,
  onEvent: RunRequest['onEvent'],
  { interrupted }: Pick<CommandLine, 'interrupted'>,
): Promise<{ run: NoteRun; save: SaveState }> {
  const { session, release } = await app.notes.hold(path);
  // A hook may hold the answer up before there is a run to name.
  const stop = () => {
    for (const run of app.chat.runs.get())
      if (run.path === session.path && run.finishedAt === null) app.chat.stop(run.runId);
  };
  interrupted.addEventListener('abort', stop, { once: true });
  try {
    const { runId, finished } = await app.chat.run({
      path,
      at: session.text().trimEnd().length,
      version: session.version,
      ...extra,
      ...(onEvent && { onEvent }),
    });
    if (interrupted.aborted) app.chat.stop(runId);
    const run = await finished;
    return { run, save: await saveInTime(session) };
  } finally {
    interrupted.removeEventListener('abort', stop);
    release();
  }
}

/** Milliseconds. Somebody may be writing the note just then; the answer is in it right after. */
const [longestSave, betweenSaves] = [10_000, 100];

async function saveInTime(session: NoteSession): Promise<SaveState> {
  for (const until = performance.now() + longestSave; ; await setTimeout(betweenSaves)) {
    const state = await session.save();
    const isUnderWay = state.kind === 'unsaved' || state.kind === 'waiting';
    if (!isUnderWay || performance.now() > until) return state;
  }
}

/** Whoever asked has the answer only as it was printed. */
function notInNote(save: Exclude<SaveState, { kind: 'saved' }>): string {
  if (save.kind === 'deleted')
    return 'The note is gone from disk, and the answer is not in it. See: interlinear recover list';
  const why = 'message' in save ? save.message : 'reason' in save ? save.reason : '';
  return `The answer is not in the file of the note yet: it is written there when the vault is opened again. ${escaped(why)}`.trimEnd();
}

function request(options: AskOptions, app: App): Partial<RunRequest> {
  const provider = options.provider === undefined ? undefined : providerFor(options, app);
  return {
    ...(provider && { provider: { config: provider, key: null } }),
    ...(!provider && options.model !== undefined && { model: options.model }),
    ...(options.agent !== undefined && { agent: options.agent }),
    ...(options.tools && { tools: options.tools.includes('none') ? [] : options.tools }),
    ...(options.rounds !== undefined && { rounds: options.rounds }),
    unattended: { allow: options.allow ?? [], sending: options.allowSending ?? [] },
  };
}

/** A vendor of the table or a configured provider, with what the command line says otherwise. */
function providerFor({ provider = '', format, model, baseUrl }: AskOptions, app: App): ProviderConfig {
  const lowered = provider.toLowerCase();
  const configured = app.settings.current.get().providers;
  const exact = configured.find(({ id, tag }) => [id, tag].some((name) => name.toLowerCase() === lowered));
  const vendor = app.providers.vendors().find(({ id }) => id === lowered);
  const base = exact ?? configured.find((config) => vendor && config.vendor === vendor.id);
  if (!base && !vendor) {
    throw new AppError('provider.unknown', `There is no provider “${provider}”.`, { provider });
  }
  const modelName = model ?? base?.model ?? vendor?.defaultModel;
  if (!modelName) {
    throw new AppError('request.invalid', `Say which model of ${provider} answers: --model ID.`, {
      issues: ['model'],
    });
  }
  return {
    ...(base ?? {
      id: vendor?.id ?? lowered,
      vendor: vendor?.id ?? lowered,
      tag: vendorTag(vendor ?? { id: lowered, label: lowered }),
    }),
    model: modelName,
    ...(format && { format }),
    ...(baseUrl !== undefined && { baseUrl }),
  };
}
