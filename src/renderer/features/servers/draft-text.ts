import type { ServerDraft, ServerEntry } from '../../../contract/mcp';
import { shownCommand } from '../../../contract/shown-command';

/** `NAME=value`, one a line, as an object; the lines that are not of that form. */
export function readPairs(text: string): { values: Record<string, string>; wrong: string[] } {
  const values: Record<string, string> = {};
  const wrong: string[] = [];
  for (const line of text.split('\n').map((one) => one.trim())) {
    if (line === '') continue;
    const [, name, value] = /^([^\s=:]+)\s*[=:](.*)$/.exec(line) ?? [];
    if (name === undefined || value === undefined) wrong.push(line);
    else values[name] = value.trimStart();
  }
  return { values, wrong };
}

export function readLines(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

/** The program with its arguments, or the address. */
export function draftTarget(draft: ServerDraft): string {
  if (draft.url !== undefined) return draft.url;
  return shownCommand([draft.command ?? '', ...(draft.args ?? [])]);
}

/** What a draft says besides what its form has fields for: nothing of it may hide. */
export function alsoSet(draft: ServerDraft): [key: string, value: string][] {
  const {
    name: _name,
    command: _command,
    args: _args,
    url: _url,
    sandbox: _sandbox,
    env,
    headers,
    ...rest
  } = draft;
  const other = draft.url === undefined ? { headers } : { env };
  return Object.entries({ ...rest, ...other }).flatMap(([key, value]) =>
    value === undefined ? [] : [[key, typeof value === 'string' ? value : JSON.stringify(value)]],
  );
}

const shells = /^(sh|bash|zsh|dash|fish|cmd|powershell|pwsh|wscript|cscript|mshta|osascript)$/i;
const interpreters = /^(node|bun|deno|python[\d.]*|pythonw|ruby|perl|php|lua|eval)$/i;
const evaluates = /^(-e|-c|-p|-pe|-r|--eval|--print|--require|--import|eval)(=|$)/i;
const fetching = /^(npx|bunx|pnpx|uvx|pipx)$/i;

export type Risk = 'code' | 'unpinned' | 'plain';

/** What a person should think about before such a server runs. */
export function risksOf({ command = '', args = [], url }: ServerDraft): Risk[] {
  if (url !== undefined) return isPlain(url) ? ['plain'] : [];
  const program = (command.split(/[\\/]/).pop() ?? '').replace(/\.(exe|cmd|bat)$/i, '');
  if (shells.test(program) && args.length > 0) return ['code'];
  if (interpreters.test(program) && args.some((arg) => evaluates.test(arg))) return ['code'];
  const packageName = fetching.test(program)
    ? args.find((arg) => !arg.startsWith('-') && arg !== 'run')
    : undefined;
  return packageName !== undefined && !/.(@|==)\d/.test(packageName) && !/^[.~/]/.test(packageName)
    ? ['unpinned']
    : [];
}

function isPlain(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : null;
  return url?.protocol === 'http:' && !/^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname);
}

/** Names of the secrets that the texts ask for, each once. */
export function secretsIn(texts: readonly string[]): string[] {
  const matches = texts.flatMap((text) => [...text.matchAll(/\$\{secret:([\w.\-/ ]+?)(?::-[^}]*)?\}/g)]);
  return [...new Set(matches.map(([, name = '']) => name))];
}

/** `NAME=value` lines of what a form begins with; what is hidden as what stands for it. */
export function pairsOf(values: ServerEntry['env']): string {
  return Object.entries(values)
    .map(([name, value]) => `${name}=${value.kind === 'hidden' ? value.as : value.text}`)
    .join('\n');
}

/** For each name that is taken, by a server or by a name before it, one that is free; null for the others. */
export function suggestedNames(names: readonly string[], usedNames: readonly string[]): (string | null)[] {
  const all = new Set(usedNames);
  return names.map((name) => {
    const isFree = !all.has(name);
    all.add(name);
    if (isFree) return null;
    const others = new Set([...usedNames, ...names]);
    for (let number = 2; ; number++) if (!others.has(`${name}-${number}`)) return `${name}-${number}`;
  });
}
