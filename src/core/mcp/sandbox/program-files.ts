import { accessSync, constants, existsSync, realpathSync, statSync } from 'node:fs';
import { basename, delimiter, dirname, isAbsolute, join, resolve, sep } from 'node:path';
import { isWithin } from '../../../files';

export interface Program {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** Where commands are searched for. */
  readonly path: string;
  readonly home: string;
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
  const { args, cwd, home } = program;
  const places = [place];
  if (ofNode.has(basename(place))) places.push(placeOfProgram({ ...program, command: 'node' }) ?? place);
  const files = places.flatMap((one) => [one, dirname(one), installationOf(real(one), home)]);
  const script = args.find((arg) => !arg.startsWith('-'));
  if (script !== undefined && interpreters.test(basename(place)) && scripts.test(script)) {
    const file = resolve(cwd, script);
    if (existsSync(file)) files.push(packageOf(file, home), packageOf(real(file), home));
  }
  return [...new Set(files)].filter((file) => !isWithin(file, home) || file === place);
}

/** Of `…/v24/bin/node` the folder `v24`, of a program in a package all packages beside it. */
function installationOf(file: string, home: string): string {
  const modules = file.indexOf(`${sep}node_modules${sep}`);
  if (modules !== -1) return file.slice(0, modules + `${sep}node_modules`.length);
  const folder = dirname(file);
  const above = dirname(folder);
  // What lies at the top of the home folder, such as `.local`, is not one program's.
  const isShared = above === home || dirname(above) === home || dirname(above) === above;
  return basename(folder) === 'bin' && !isShared ? above : folder;
}

/** The folder of the package that a script belongs to; where there is none, the script alone. */
function packageOf(file: string, home: string): string {
  for (
    let folder = dirname(file);
    folder !== dirname(folder) && !isWithin(folder, home);
    folder = dirname(folder)
  )
    if (marks.some((mark) => existsSync(join(folder, mark)))) return folder;
  return isWithin(dirname(file), home) ? file : dirname(file);
}

const marks = ['package.json', 'node_modules', 'pyproject.toml', 'setup.py', 'Gemfile'];

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
