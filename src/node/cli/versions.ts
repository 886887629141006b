import { existsSync } from 'node:fs';
import { relative, sep } from 'node:path';
import type { Command } from 'commander';
import { AppError } from '../../contract/errors';
import type { ForgetWhat, TimelineEntry, VersionsState } from '../../contract/versions';
import type { App } from '../../core/app';
import { typedPath } from '../../files';
import { chosenOf } from './before-answer';
import { type CommandLine, type Doing, exitCodes } from './command-line';
import { vaultAbove } from './note-place';
import { beforeLines, columns, hunkLines, inWords, who } from './version-words';
import { escaped } from './what-waits';
import { type InVault, linesOr, printed, runWithVault } from './with-vault';

interface RestoreOptions extends InVault {
  readonly hunk?: readonly number[];
  readonly beforeAnswer?: string;
  readonly only?: readonly string[];
  readonly skip?: readonly string[];
  readonly yes?: boolean;
}

type ForgetOptions = InVault & { deleted?: boolean; all?: boolean; yes?: boolean };

/** `history show|deleted|forget|answers`: what is kept of notes. */
export function addVersionCommands(history: Command, doing: Doing, commandLine: CommandLine): void {
  const inVault = (command: Command) =>
    command.option('--vault <folder>', 'the vault the note belongs to').option('--json', 'as JSON');
  inVault(
    history.command('show').description('the text of one version, or with --diff what restoring it changes'),
  )
    .argument('<note>')
    .argument('<version>')
    .option('--diff', 'against the note as it is now, by numbered hunks')
    .action(
      doing((note: string, version: string, options: InVault & { diff?: boolean }) =>
        showVersion(note, version, options, commandLine),
      ),
    );
  inVault(history.command('deleted').description('notes that are gone and can be brought back')).action(
    doing((options: InVault) => listDeleted(options, commandLine)),
  );
  inVault(
    history
      .command('forget')
      .description('forget what is kept of a note, one version of it, or all notes that are gone, for good'),
  )
    .argument('[note]')
    .argument('[version]', 'as history lists it')
    .option('--deleted', 'of all notes that are gone')
    .option('--all', 'all that is kept of the vault')
    .option('--yes', 'do it')
    .action(
      doing((note: string | undefined, version: string | undefined, options: ForgetOptions) =>
        forget(note, version, options, commandLine),
      ),
    );
  inVault(history.command('answers').description('answers whose tools changed notes')).action(
    doing((options: InVault) => listAnswers(options, commandLine)),
  );
}

export function addRestoreCommand(program: Command, doing: Doing, commandLine: CommandLine): void {
  program
    .command('restore')
    .description('bring back a version of a note, or all notes to before an answer')
    .argument('[note]')
    .argument('[version]', 'as history lists it')
    .option('--hunk <n...>', 'only these differences, as history show --diff numbers them', parseNumbers)
    .option('--before-answer <answer>', 'all notes that its tools changed, as history answers lists it')
    .option('--only <note:n...>', 'with --before-answer: only these notes, or these differences', parseWords)
    .option(
      '--skip <note:n...>',
      'with --before-answer: not these notes, or not these differences',
      parseWords,
    )
    .option('--yes', 'with --before-answer: do it; without it is only said what would be done')
    .option('--vault <folder>', 'the vault the note belongs to')
    .option('--json', 'as JSON')
    .action(
      doing((note: string | undefined, version: string | undefined, options: RestoreOptions) => {
        if (options.beforeAnswer !== undefined)
          return restoreBefore(options.beforeAnswer, options, commandLine);
        if (note === undefined || version === undefined) {
          commandLine.err('Name a note and a version, or --before-answer.\n');
          return Promise.resolve(exitCodes.usage);
        }
        return restoreVersion(note, version, options, commandLine);
      }),
    );
}

/** The versions of a note, newest first. */
export function showVersions(note: string, options: InVault, commandLine: CommandLine): Promise<number> {
  return withNote(note, options, commandLine, async (app, path) => {
    const { entries, state, more } = await app.versions.timeline(path);
    sayState(state, commandLine);
    if (entries.length === 0) throw nothingKept(note);
    printed(options, commandLine, entries, () => [
      ...entries.map(inWords),
      ...(more > 0 ? [`… and ${more} older ones`] : []),
    ]);
    return exitCodes.ok;
  });
}

function showVersion(
  note: string,
  version: string,
  options: InVault & { diff?: boolean },
  commandLine: CommandLine,
): Promise<number> {
  return withNote(note, options, commandLine, async (app, path) => {
    const { id } = await textAt(app, path, version);
    if (!options.diff) {
      const text = await app.versions.read(path, id);
      if (options.json) commandLine.out(`${JSON.stringify({ id, text }, null, 2)}\n`);
      else commandLine.out(text);
      return exitCodes.ok;
    }
    const diff = await app.versions.preview(path, id);
    printed(options, commandLine, diff, () =>
      diff.endsOnly
        ? ['Only line ends differ.']
        : linesOr(diff.hunks.flatMap(hunkLines), 'Nothing differs from the note as it is now.'),
    );
    return exitCodes.ok;
  });
}

function listDeleted(options: InVault, commandLine: CommandLine): Promise<number> {
  return withVaultHere(options, commandLine, async (app) => {
    await app.versions.keepAll();
    const { notes } = await app.versions.deleted();
    printed(options, commandLine, notes, () =>
      linesOr(
        notes.map(({ id, at, path, by }) => columns(id, new Date(at).toISOString(), who(by), path)),
        'No note is known to be gone.',
      ),
    );
    return exitCodes.ok;
  });
}

function forget(
  note: string | undefined,
  version: string | undefined,
  options: ForgetOptions,
  commandLine: CommandLine,
): Promise<number> {
  const whole: ForgetWhat | null = options.all
    ? { kind: 'all' }
    : options.deleted
      ? { kind: 'deleted', id: null }
      : null;
  if ((note === undefined) === (whole === null)) {
    commandLine.err('Name a note, or --deleted, or --all.\n');
    return Promise.resolve(exitCodes.usage);
  }
  const report = async (app: App, what: ForgetWhat, words: string) => {
    if (!options.yes) {
      printed(options, commandLine, { forgotten: 0 }, () => [`Would forget ${words}, for good: add --yes.`]);
      return exitCodes.ok;
    }
    const { forgotten } = await app.versions.forget(what);
    printed(options, commandLine, { forgotten }, () => [`${forgotten} versions are forgotten.`]);
    return exitCodes.ok;
  };
  if (whole !== null || note === undefined)
    return withVaultHere(options, commandLine, (app) =>
      report(
        app,
        whole ?? { kind: 'all' },
        options.all ? 'all that is kept of this vault' : 'notes that are gone',
      ),
    );
  return withNote(note, options, commandLine, async (app, path) => {
    if ((await app.versions.timeline(path)).entries.length === 0) throw nothingKept(note);
    if (version === undefined) return report(app, { kind: 'note', path }, `all versions of ${escaped(path)}`);
    const { id } = await versionOf(app, path, version);
    return report(app, { kind: 'version', id }, `one version of ${escaped(path)}`);
  });
}

function listAnswers(options: InVault, commandLine: CommandLine): Promise<number> {
  return withVaultHere(options, commandLine, async (app) => {
    const answers = await app.versions.answers(null);
    printed(options, commandLine, answers, () =>
      linesOr(
        answers.map(({ runId, startedAt, model, note, notes }) =>
          columns(runId, new Date(startedAt).toISOString(), model, note, `${notes} notes`),
        ),
        'No answer’s tools are known to have changed notes.',
      ),
    );
    return exitCodes.ok;
  });
}

function restoreVersion(
  note: string,
  version: string,
  options: RestoreOptions,
  commandLine: CommandLine,
): Promise<number> {
  return withNote(note, options, commandLine, async (app, path) => {
    const { id, isGone } = await textAt(app, path, version);
    if (isGone) {
      const back = await app.versions.restoreDeleted(id);
      printed(options, commandLine, back, () => [`It is back: ${escaped(back.path)}`]);
      return exitCodes.ok;
    }
    const { basis, hunks } = await app.versions.preview(path, id);
    const wrong = options.hunk?.find((number) => number > hunks.length);
    if (wrong !== undefined) {
      commandLine.err(`There are ${hunks.length} differences, no number ${wrong}.\n`);
      return exitCodes.notFound;
    }
    const chosen = options.hunk?.map((number) => number - 1) ?? null;
    const { saved } = await app.versions.restore(path, id, basis, chosen);
    const restored = chosen?.length ?? hunks.length;
    printed(options, commandLine, { path, restored, saved }, () => [
      saved ? `Restored: ${escaped(path)}` : 'Restored, but the note could not be saved yet.',
    ]);
    return saved ? exitCodes.ok : exitCodes.failed;
  });
}

function restoreBefore(runId: string, options: RestoreOptions, commandLine: CommandLine): Promise<number> {
  return withVaultHere(options, commandLine, async (app) => {
    const { answer, notes, state } = await app.versions.beforeAnswer(runId);
    if (!answer) throw new AppError('versions.unknown', `No answer “${runId}” changed notes.`, { id: runId });
    sayState(state, commandLine);
    const chosen = notes.flatMap((one) => chosenOf(one, options) ?? []);
    if (!options.yes) {
      printed(options, commandLine, { answer, notes, restored: [] }, () => [
        ...notes.flatMap(beforeLines),
        'Nothing is restored yet: add --yes, --skip NOTE or NOTE:N for what shall stay, --only for what stays by itself.',
      ]);
      return exitCodes.ok;
    }
    const result = await app.versions.restoreBeforeAnswer(runId, chosen);
    printed(options, commandLine, result, () =>
      linesOr(
        result.notes.map(({ path, problem }) => columns(path, problem ?? 'restored')),
        'Nothing was left to restore.',
      ),
    );
    return result.notes.some(({ problem }) => problem !== null) ? exitCodes.failed : exitCodes.ok;
  });
}

function sayState(state: VersionsState, commandLine: CommandLine): void {
  if (state.kind === 'failing')
    commandLine.err(`Versions are not kept at present: ${escaped(state.reason)}\n`);
}

/** By its id, or the beginning of it: a version. */
function versionOf(app: App, path: string, version: string): Promise<{ id: string; isGone: boolean }> {
  return find(app, path, version, (entries) =>
    entries.flatMap(({ kind, id }) => (kind === 'text' ? id : [])),
  );
}

/** The same; what is listed without a text of its own, as that the note was deleted, means the text before it. */
function textAt(app: App, path: string, version: string): Promise<{ id: string; isGone: boolean }> {
  return find(app, path, version, (entries) => entries.map(({ id }) => id));
}

async function find(
  app: App,
  path: string,
  version: string,
  idsOf: (entries: readonly TimelineEntry[]) => readonly string[],
): Promise<{ id: string; isGone: boolean }> {
  const { entries } = await app.versions.timeline(path);
  const fits = (id: string) => id.startsWith(version);
  const ofNote = idsOf(entries).filter(fits);
  // Its name may be another note's by now.
  const { notes } = await app.versions.deleted();
  const ofGone = notes.flatMap((one) => (one.path === path && fits(one.id) ? one.id : []));
  const [only, ...others] = new Set([...ofNote, ...ofGone]);
  const at = entries.findIndex(({ id }) => id === only);
  const text = at < 0 ? only : entries.slice(at).find(({ kind }) => kind === 'text')?.id;
  if (text === undefined || others.length > 0)
    throw new AppError('versions.unknown', `There is no version “${version}” of “${path}”.`, { id: version });
  return { id: text, isGone: entries[0]?.kind === 'gone' || at < 0 };
}

function nothingKept(note: string): AppError {
  return new AppError('vault.not-found', `Nothing is kept of a note “${note}”.`, { path: note });
}

/** Also a note that is gone: its place is known without it. */
function withNote(
  note: string,
  options: InVault,
  commandLine: CommandLine,
  work: (app: App, path: string) => Promise<number>,
): Promise<number> {
  const root = options.vault === undefined ? vaultAbove(typedPath(note)) : typedPath(options.vault);
  const inVault = typedPath(note, root);
  const absolute = options.vault !== undefined && !existsSync(typedPath(note)) ? inVault : typedPath(note);
  const path = relative(root, absolute).split(sep).join('/');
  const inNote = async (app: App) => {
    // What another program did while nobody watched.
    await app.versions.keep(path);
    return work(app, path);
  };
  return runWithVault({ ...options, vault: root }, commandLine, inNote, { asGuest: true });
}

/** In the vault that was named, else the one around the current folder. */
export function withVaultHere(
  options: InVault,
  commandLine: CommandLine,
  work: (app: App) => Promise<number>,
): Promise<number> {
  const vault = options.vault ?? vaultAbove(typedPath('any.md'));
  return runWithVault({ ...options, vault }, commandLine, work, { asGuest: true });
}

function parseNumbers(value: string, before: readonly number[] = []): readonly number[] {
  return [
    ...before,
    ...value
      .split(',')
      .map(Number)
      .filter((number) => Number.isInteger(number) && number > 0),
  ];
}

function parseWords(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}
