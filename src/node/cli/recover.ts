import type { Command } from 'commander';
import { AppError } from '../../contract/errors';
import type { RecoveredText, RecoveryPart } from '../../contract/recovery';
import type { App } from '../../core/app';
import { type CommandLine, type Doing, exitCodes } from './command-line';
import { columns, hunkLines } from './version-words';
import { withVaultHere } from './versions';
import { escaped } from './what-waits';
import { type InVault, linesOr, printed } from './with-vault';

interface RecoverOptions extends InVault {
  readonly part?: string;
  readonly diff?: boolean;
  readonly inNote?: boolean;
  readonly yes?: boolean;
}

/** `recover list|show|restore|discard`: text that did not get into its note by itself. */
export function addRecoverCommands(program: Command, doing: Doing, commandLine: CommandLine): void {
  const recover = program
    .command('recover')
    .description('text that did not get into its note by itself: list, read, restore or discard it');
  const common = (command: Command) =>
    command.option('--vault <folder>', 'the vault that the notes belong to').option('--json', 'as JSON');
  const ofOne = (command: Command) => common(command).argument('<id>', 'as recover lists it');
  const withPart = (command: Command) =>
    command.option('--part <part>', 'text, theirs (the other program’s) or after (after the damage)');
  common(recover.command('list', { isDefault: true }).description('list them, newest first')).action(
    doing((options: RecoverOptions) => list(options, commandLine)),
  );
  withPart(
    ofOne(recover.command('show').description('the text, or with --diff what it would change in its note')),
  )
    .option('--diff', 'against the note as it is now, by numbered hunks')
    .action(doing((id: string, options: RecoverOptions) => show(id, options, commandLine)));
  withPart(
    ofOne(
      recover.command('restore').description('put it back as a note at its old path, or the next free one'),
    ),
  )
    .option('--in-note', 'as the text of the note that is there now')
    .action(doing((id: string, options: RecoverOptions) => restore(id, options, commandLine)));
  ofOne(recover.command('discard').description('remove it for good'))
    .option('--yes', 'do it')
    .action(doing((id: string, options: RecoverOptions) => discard(id, options, commandLine)));
}

const elsewhere = 'Interlinear runs with this data: what waits for its open notes is listed in its window.';

function list(options: RecoverOptions, commandLine: CommandLine): Promise<number> {
  return withVaultHere(options, commandLine, async (app) => {
    const recovered = app.recovery.list();
    printed(options, commandLine, recovered, () => [
      ...linesOr(
        recovered.texts.map(lineOf),
        app.host.isGuest ? 'Nothing is listed here.' : 'Nothing had to be recovered.',
      ),
      ...(app.host.isGuest ? [elsewhere] : []),
      ...recovered.others.map(({ vault, count }) => `${escaped(vault)}: ${count} in this other vault`),
    ]);
    return exitCodes.ok;
  });
}

function lineOf({ id, at, reason, name, note, parts, now, restored }: RecoveredText): string {
  const place =
    now.kind === 'gone' ? 'gone' : `${now.kind === 'another' ? 'another note at ' : ''}${now.path}`;
  const sizes = parts.map(({ part, bytes }) => `${part} ${bytes} B`).join(', ') || 'nothing readable';
  const lines = restored ? [`restored to ${restored.path}`] : [];
  return columns(id, new Date(at).toISOString(), reason, note ?? name, place, sizes, ...lines);
}

function show(id: string, options: RecoverOptions, commandLine: CommandLine): Promise<number> {
  return withVaultHere(options, commandLine, async (app) => {
    const text = textOf(app, id);
    const part = partOf(text, options);
    if (options.diff) {
      const diff = await app.recovery.compare(text.id, part, noteOf(text));
      printed(options, commandLine, diff, () =>
        diff.endsOnly
          ? ['Only line ends differ.']
          : linesOr(diff.hunks.flatMap(hunkLines), 'Nothing differs from the note as it is now.'),
      );
      return exitCodes.ok;
    }
    const whole = app.recovery.read(text.id, part);
    if (options.json) commandLine.out(`${JSON.stringify({ ...text, part, text: whole }, null, 2)}\n`);
    else commandLine.out(whole);
    return exitCodes.ok;
  });
}

function restore(id: string, options: RecoverOptions, commandLine: CommandLine): Promise<number> {
  return withVaultHere(options, commandLine, async (app) => {
    const text = textOf(app, id);
    const part = partOf(text, options);
    if (!options.inNote) {
      const { path } = await app.recovery.restoreAsNew(text.id, part);
      printed(options, commandLine, { path, saved: true }, () => [`Restored: ${escaped(path)}`]);
      return exitCodes.ok;
    }
    if (part === 'after') {
      commandLine.err('Pieces from after the damage would replace the whole note: leave out --in-note.\n');
      return exitCodes.usage;
    }
    const path = noteOf(text);
    const { basis } = await app.recovery.compare(text.id, part, path);
    const { saved } = await app.recovery.restore(text.id, part, path, basis, null);
    printed(options, commandLine, { path, saved }, () => [
      saved ? `Restored: ${escaped(path)}` : 'Restored, but the note could not be saved yet.',
    ]);
    return saved ? exitCodes.ok : exitCodes.failed;
  });
}

function discard(id: string, options: RecoverOptions, commandLine: CommandLine): Promise<number> {
  return withVaultHere(options, commandLine, async (app) => {
    const text = textOf(app, id);
    if (options.yes) app.recovery.discard(text.id);
    printed(options, commandLine, { id: text.id, discarded: options.yes === true }, () => [
      options.yes
        ? `Discarded: ${escaped(text.name)}`
        : `Would remove the recovered text of ${escaped(text.name)} for good: add --yes.`,
    ]);
    return exitCodes.ok;
  });
}

/** By its id, or the beginning of it. */
function textOf(app: App, id: string): RecoveredText {
  const texts = app.recovery.list().texts.filter((text) => text.id.startsWith(id));
  const [only] = texts;
  if (!only || texts.length > 1)
    throw new AppError('recovery.unknown', `There is no recovered text “${id}”.`, { id });
  return only;
}

function partOf({ id, parts }: RecoveredText, { part }: RecoverOptions): RecoveryPart {
  const one = part === undefined ? parts[0] : parts.find((other) => other.part === part);
  if (one) return one.part;
  const names = parts.map((other) => other.part).join(', ') || 'nothing, for it could not be read';
  throw new AppError(
    'recovery.unknown',
    `It has ${part === undefined ? 'no text' : `no part “${part}”`}: there is ${names}.`,
    { id },
  );
}

function noteOf({ id, now, name }: RecoveredText): string {
  if (now.kind !== 'gone') return now.path;
  throw new AppError('recovery.unknown', `The note “${name}” is not in this vault any more.`, { id });
}
