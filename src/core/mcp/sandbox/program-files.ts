import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { basename, delimiter, dirname, isAbsolute, join, resolve, sep } from 'node:path';
import { isWithin } from '../../../files';
import { real, wayTo } from './way-to';

export interface Program {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** Where commands are searched for. */
  readonly path: string;
  readonly home: string;
  readonly dataFolder: string;
  /** What the server or its vault can change: of what lies there a file is the program's, and never the folder round it. */
  readonly changeable: readonly string[];
}

/** What runs a script that is named first: `node server.js`. */
const interpreters = /^(node|deno|bun|tsx|python[\d.]*|ruby|perl|php|bash|sh|zsh)$/;
const scripts = /\.([cm]?[jt]s|py|pyz|rb|pl|php|sh)$/;
/** What is started by Node without being called so. */
const ofNode = new Set(['npx', 'npm', 'pnpm', 'pnpx', 'yarn', 'corepack']);

/** Where a command lies; null: nowhere. */
export function placeOfProgram({
  command,
  cwd,
  path,
}: Pick<Program, 'command' | 'cwd' | 'path'>): string | null {
  if (command.includes(sep)) return isProgram(resolve(cwd, command)) ? resolve(cwd, command) : null;
  const folder = path.split(delimiter).find((one) => isAbsolute(one) && isProgram(join(one, command)));
  return folder === undefined ? null : join(folder, command);
}

/** The files that a program itself consists of, as far as its command line tells. */
export function filesOfProgram(program: Program, place: string): string[] {
  const { args, cwd } = program;
  const files = new Set<string>();
  const add = (path: string, folderOf: (file: string) => string | null) => {
    const way = wayTo(path);
    const isOurs = (one: string) => program.changeable.some((root) => isWithin(real(root), one));
    // Where a link leads that others may have put there, nobody knows at the next start.
    if (way === null || !isThere(path, way.end) || way.links.some(isOurs)) return;
    files.add(path).add(way.end);
    if (isOurs(way.end)) return;
    for (const folder of [folderOf(path), folderOf(way.end)])
      if (folder !== null && isOfProgram(folder, program)) files.add(folder);
  };
  const ofCommand = (file: string) => installationOf(file, program.home);
  add(place, ofCommand);
  const node = ofNode.has(basename(place)) ? placeOfProgram({ ...program, command: 'node' }) : null;
  if (node !== null) add(node, ofCommand);
  const script = args.find((arg) => !arg.startsWith('-'));
  if (script !== undefined && interpreters.test(basename(place)) && scripts.test(script))
    add(resolve(cwd, script), packageOf);
  return [...files];
}

/** A home folder, what lies at its top, and what holds the app's data is not one program's. */
const isOfProgram = (folder: string, { home, dataFolder }: Program) =>
  !isWithin(folder, home) &&
  (dirname(folder) !== home || (!basename(folder).startsWith('.') && hasMark(folder))) &&
  !isWithin(folder, dataFolder) &&
  !isWithin(dataFolder, folder);

/** Of `…/v24/bin/node` the folder `v24`, of a program in a package all packages beside it. */
function installationOf(file: string, home: string): string | null {
  const modules = file.indexOf(`${sep}node_modules${sep}`);
  if (modules !== -1) return file.slice(0, modules + `${sep}node_modules`.length);
  const folder = dirname(file);
  if (basename(folder) !== 'bin') return packageOf(file);
  const above = dirname(folder);
  // What lies at the top of the home folder, such as `.local`, is not one program's.
  const isShared = above === home || dirname(above) === home || dirname(above) === above;
  return isShared ? folder : above;
}

/** The folder of the package that a file belongs to; null: it belongs to none. */
function packageOf(file: string): string | null {
  for (let folder = dirname(file); folder !== dirname(folder); folder = dirname(folder))
    if (hasMark(folder)) return folder;
  return null;
}

const hasMark = (folder: string) => marks.some((mark) => existsSync(join(folder, mark)));

const marks = ['package.json', 'pyproject.toml', 'setup.py', 'Gemfile'];

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

const isThere = (path: string, end: string) => existsSync(end) && real(path) === end;
