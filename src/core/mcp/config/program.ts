import type { ServerConfig } from './server-config';

/** What stands behind a server, by its launch: its name, title and claims say nothing of that. */
export interface Program {
  /** `bundled`, or `npm:` or `pypi:` with the package's name. */
  readonly id: string;
  /** What the package is started with. */
  readonly args: readonly string[];
  /** Names of the variables that it is given. */
  readonly variables: readonly string[];
}

/** The words before the package, of those that run exactly the package that they name, from its registry. */
const runners: readonly { readonly registry: 'npm' | 'pypi'; readonly words: RegExp }[] = [
  { registry: 'npm', words: /^npx(?:\.cmd)?(?: (?:-y|--yes))?$/ },
  { registry: 'npm', words: /^bunx$/ },
  { registry: 'pypi', words: /^uvx$/ },
];

/** A name and perhaps a version; nothing that a package manager takes for an address, a file or another name. */
const packageWord = /^((?:@[a-z0-9][\w.-]*\/)?[a-z0-9][\w.-]*)(?:(?:@|==)[\w.+-]+)?$/;

/**
 * Null where it cannot be known, as with any address. A vault's entry says nothing: in a folder of its own a runner takes what lies there for the
 * package.
 */
export function programOf({ level, draft }: Pick<ServerConfig, 'level' | 'draft'>): Program | null {
  if (level === 'bundled') return { id: 'bundled', args: [], variables: [] };
  if (level === 'vault') return null;
  const { command, args = [], env = {}, cwd } = draft;
  if (command === undefined || cwd !== undefined) return null;
  const words = [command, ...args];
  const at = words.findIndex((word, index) => index > 0 && !word.startsWith('-'));
  const [, name] = packageWord.exec(words[at] ?? '') ?? [];
  const before = words.slice(0, at).join(' ');
  const runner = runners.find((one) => one.words.test(before));
  if (name === undefined || !runner) return null;
  return { id: `${runner.registry}:${name}`, args: words.slice(at + 1), variables: Object.keys(env) };
}
