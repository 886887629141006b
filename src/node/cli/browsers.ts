import { runningAt } from '../../core/hosting';
import { dataFolderOf } from '../../files';
import { createAccess } from '../access';
import { type CommandLine, exitCodes } from './command-line';
import { linesOr, printed } from './with-vault';

/** The browsers that are let in, by the number that ends them. */
export async function listBrowsers(options: { json?: boolean }, commandLine: CommandLine): Promise<number> {
  const sessions = createAccess(dataFolderOf(commandLine.environment)).sessions();
  const browsers = sessions
    .toSorted((a, b) => b.usedAt - a.usedAt)
    .map(({ id, browser, origin, madeAt, usedAt }) => ({ id, browser, origin, madeAt, usedAt }));
  printed(options, commandLine, browsers, () =>
    linesOr(
      browsers.map(
        ({ id, browser, origin, usedAt }) =>
          `${id}  ${origin}  last seen ${new Date(usedAt).toISOString().slice(0, 16)}  ${browser}`,
      ),
      'No browser is let in.',
    ),
  );
  return exitCodes.ok;
}

/** An address for one more browser, of the app that runs. */
export async function inviteBrowser({ environment, out, err }: CommandLine): Promise<number> {
  const dataFolder = dataFolderOf(environment);
  const address = runningAt(dataFolder);
  if (address === null) {
    err('Interlinear does not serve browsers now. Run: interlinear serve\n');
    return exitCodes.notFound;
  }
  const code = createAccess(dataFolder).invite();
  out(`${address}#invitation=${code}\nThat lets one browser in, once, within a minute.\n`);
  return exitCodes.ok;
}

export async function endBrowser(
  id: string | undefined,
  { all }: { all?: boolean },
  { environment, out, err }: CommandLine,
): Promise<number> {
  const access = createAccess(dataFolderOf(environment));
  const ids = all ? access.sessions().map((session) => session.id) : id === undefined ? [] : [id];
  const ended = ids.filter((each) => access.end(each));
  if (!all && ended.length === 0) {
    err('There is no such browser. See: interlinear browsers list\n');
    return exitCodes.notFound;
  }
  out(`${ended.length === 1 ? 'One browser is' : `${ended.length} browsers are`} no longer let in.\n`);
  return exitCodes.ok;
}
