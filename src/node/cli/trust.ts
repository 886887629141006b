import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import type { Brought } from '../../contract/vault';
import { type CommandLine, exitCodes } from './command-line';
import { escaped, standing } from './what-waits';
import { type InVault, printed, runWithVault } from './with-vault';

/**
 * Shows what a folder brings that can run; with the code of exactly that, agrees to it. The code keeps what changes
 * between looking and agreeing from slipping in.
 */
export function trust(
  folder: string,
  options: Pick<InVault, 'json'> & { agree?: string; revoke?: boolean },
  commandLine: CommandLine,
): Promise<number> {
  return runWithVault({ ...(options.json && { json: true }) }, commandLine, async (app) => {
    await app.openVault(resolve(folder));
    if (options.revoke) {
      await app.trustVault(false, []);
      printed(options, commandLine, { trusted: false }, () => ['This folder is not trusted any more.']);
      return exitCodes.ok;
    }
    const { trusted, things } = standing(app);
    const code = codeOf(things);
    if (options.agree !== undefined && options.agree !== code) {
      commandLine.err(`That is the code of something else than what is there now (${code}). Look again.\n`);
      return exitCodes.failed;
    }
    if (options.agree !== undefined) {
      await app.trustVault(
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
            ...things.flatMap(inWords),
            `To agree to exactly this: interlinear trust ${JSON.stringify(folder)} --agree ${code}`,
          ],
    );
    return exitCodes.ok;
  });
}

const codeOf = (things: readonly Brought[]) =>
  createHash('sha256')
    .update(JSON.stringify(things.map(({ fingerprint }) => fingerprint)))
    .digest('hex')
    .slice(0, 12);

function inWords({ kind, name, lines, consent }: Brought): string[] {
  const before = consent.kind === 'changed' ? consent.before : [];
  const gone = before.filter((line) => !lines.includes(line)).map((line) => `  - ${escaped(line)}`);
  const now = lines.map((line) => {
    const isNew = consent.kind === 'changed' && !before.includes(line);
    return `  ${isNew ? '+ ' : '  '}${escaped(line)}`;
  });
  return [`${kind} ${escaped(name)} (${consent.kind})`, ...gone, ...now];
}
