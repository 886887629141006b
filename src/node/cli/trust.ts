import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import type { NoteAsk } from '../../contract/chat';
import type { ContributionEntry, KeyAsked } from '../../contract/vault';
import { typedPath } from '../../files';
import { type CommandLine, exitCodes } from './command-line';
import { findNote } from './note-place';
import { escaped, standing } from './what-waits';
import { type InVault, printed, runWithVault } from './with-vault';

export type TrustOptions = InVault & { agree?: string; revoke?: boolean };

/**
 * Shows what a folder brings that can run, or what a note lets run without asking; with the code of exactly that, agrees
 * to it. The code keeps what changes between looking and agreeing from slipping in.
 */
export function trust(place: string, options: TrustOptions, commandLine: CommandLine): Promise<number> {
  const places = [typedPath(place), typedPath(place, typedPath(options.vault ?? ''))];
  const isNote = places.some((path) => statSync(path, { throwIfNoEntry: false })?.isFile());
  return isNote ? trustNote(place, options, commandLine) : trustFolder(place, options, commandLine);
}

function trustFolder(folder: string, options: TrustOptions, commandLine: CommandLine): Promise<number> {
  return runWithVault({ ...(options.json && { json: true }) }, commandLine, async (app) => {
    await app.openVault(typedPath(folder));
    if (options.revoke) {
      await app.trustVault(app.vault.root(), false, []);
      printed(options, commandLine, { trusted: false }, () => ['This folder is not trusted any more.']);
      return exitCodes.ok;
    }
    const { trusted, things } = standing(app);
    const code = codeOf(things.map(({ fingerprint }) => fingerprint));
    if (options.agree !== undefined && options.agree !== code) {
      commandLine.err(`That is the code of something else than what is there now (${code}). Look again.\n`);
      return exitCodes.failed;
    }
    if (options.agree !== undefined) {
      await app.trustVault(
        app.vault.root(),
        true,
        things.map(({ fingerprint }) => fingerprint),
      );
      printed(options, commandLine, { trusted: true, waiting: [] }, () => ['Agreed.']);
      return exitCodes.ok;
    }
    const isSettled = trusted && things.length === 0;
    printed(options, commandLine, { trusted, waiting: things, ...(!isSettled && { code }) }, () =>
      isSettled
        ? ['This folder is trusted, and nothing in it waits.']
        : [
            ...(things.length === 0 ? ['Nothing that this folder brings can run now.'] : []),
            ...things.flatMap(inWords),
            `To agree to exactly this: interlinear trust ${JSON.stringify(folder)} --agree ${code}`,
          ],
    );
    return exitCodes.ok;
  });
}

function trustNote(place: string, options: TrustOptions, commandLine: CommandLine): Promise<number> {
  return runWithVault({ ...(options.json && { json: true }) }, commandLine, async (app) => {
    const { vault, note } = findNote(place, options.vault);
    await app.openVault(vault);
    if (options.revoke) {
      app.authority.revoke(note);
      printed(options, commandLine, { note, agreed: false }, () => [
        'Nothing is agreed to for this note any more.',
      ]);
      return exitCodes.ok;
    }
    const { trusted } = standing(app);
    if (!trusted) sayNotTrusted(vault, commandLine);
    const { ask, agreed } = await app.chat.power(note);
    const lines = ask === null ? [] : askLines(ask);
    const code = codeOf([note, ...lines]);
    if (options.agree !== undefined && (ask === null || options.agree !== code)) {
      commandLine.err('That is the code of something else than what is there now. Look again.\n');
      return exitCodes.failed;
    }
    const isAgreeing = options.agree !== undefined;
    if (isAgreeing) await app.authority.agree(note, ask?.powers ?? []);
    const isSettled = isAgreeing || ask === null;
    const facts = {
      note,
      agreed: isSettled,
      wants: ask,
      allows: agreed.flatMap(({ words }) => words.split('\n')),
    };
    printed(options, commandLine, { ...facts, ...(!isSettled && { code }) }, () => {
      if (isAgreeing) return ['Agreed.'];
      if (ask === null && agreed.length === 0) return ['This note wants nothing that has to be agreed to.'];
      return [
        ...(agreed.length === 0 ? [] : [`note ${escaped(note)} (agreed)`]),
        ...agreed.flatMap(({ words }) => words.split('\n').map((line) => `    ${escaped(line)}`)),
        ...(ask === null ? [] : [`note ${escaped(note)} (new)`]),
        ...lines.map((line) => `    ${escaped(line)}`),
        ...(isSettled
          ? []
          : [`To agree to exactly this: interlinear trust ${JSON.stringify(place)} --agree ${code}`]),
      ];
    });
    return exitCodes.ok;
  });
}

/** The difference that it makes, and exactly what is agreed to. */
const askLines = ({ powers, changes }: NoteAsk): string[] => [
  ...changes.map(({ what, now, wants }) => `${what}: ${now ?? '-'} -> ${wants ?? '-'}`),
  ...powers.flatMap(({ words }) => words.split('\n')),
];

function sayNotTrusted(vault: string, { err }: CommandLine): void {
  err(
    `Its folder is not trusted, so it allows nothing of its own. See: interlinear trust ${JSON.stringify(vault)}\n`,
  );
}

const codeOf = (lines: readonly string[]) =>
  createHash('sha256').update(JSON.stringify(lines)).digest('hex').slice(0, 12);

function inWords({ kind, name, lines, keys = [], consent }: ContributionEntry): string[] {
  const before = consent.kind === 'changed' ? consent.before : [];
  const missing = before.filter((line) => !lines.includes(line)).map((line) => `  - ${escaped(line)}`);
  const now = lines.map((line) => {
    const isNew = consent.kind === 'changed' && !before.includes(line);
    return `  ${isNew ? '+ ' : '  '}${escaped(line)}`;
  });
  const powers = keys.map((key) => `  ! ${escaped(keyWords(key))}`);
  return [`${kind} ${escaped(name)} (${consent.kind})`, ...powers, ...missing, ...now];
}

function keyWords(key: KeyAsked): string {
  if (key.kind === 'variable') return `reads ${key.name} of your environment and sends it to ${key.to}`;
  const of = key.of === null ? '' : ` of the server “${key.of}”`;
  return `sends your stored key “${key.name}”${of} to ${key.to}`;
}
