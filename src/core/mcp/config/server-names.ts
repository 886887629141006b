/** What an entry without a key is called. */
export function nameOfEntry(raw: Record<string, unknown>): string {
  if (typeof raw.name === 'string' && raw.name.trim() !== '') return raw.name.trim().slice(0, 128);
  const url = raw.url ?? raw.serverUrl ?? raw.httpUrl;
  if (typeof url === 'string' && URL.canParse(url)) return nameOfUrl(new URL(url));
  const args = Array.isArray(raw.args) ? raw.args.filter((item) => typeof item === 'string') : [];
  return typeof raw.command === 'string' ? nameOfCommand(raw.command, args) : 'server';
}

export function nameOfUrl(url: URL): string {
  const host = url.hostname.replace(/^(www|mcp|api)\./, '');
  const label = host.split('.')[0] ?? host;
  return /^[\d.[\]:]+$/.test(host) || label === '' ? host || 'server' : label;
}

const runners = new Set([
  'npx',
  'bunx',
  'uvx',
  'pnpx',
  'pipx',
  'npm',
  'pnpm',
  'yarn',
  'bun',
  'deno',
  'uv',
  'node',
  'python',
  'python3',
  'docker',
  'podman',
]);
const runnerWords = new Set(['exec', 'dlx', 'run', 'tool', 'x', 'start', '-m']);

/** They run a package and have no other words. */
const plainRunners = new Set(['npx', 'bunx', 'uvx', 'pnpx']);

const takesValue =
  /^(-[evpuwlh]|--(env|env-file|volume|mount|name|network|publish|user|workdir|label|hostname|entrypoint|platform|add-host))$/;

/** Neither an option, its value nor an assignment. */
const isNamed = (program: string, arg: string, before = '') =>
  !arg.startsWith('-') &&
  (plainRunners.has(program) || !runnerWords.has(arg)) &&
  !/^[A-Za-z_]\w*=/.test(arg) &&
  !takesValue.test(before);

/** `npx -y @scope/server-memory@1.2` is called `memory`. */
export function nameOfCommand(command: string, args: readonly string[]): string {
  const program = lastSegment(command).replace(/\.(exe|cmd|bat)$/i, '');
  const candidate = runners.has(program)
    ? (args.find((arg, at) => isNamed(program, arg, args[at - 1])) ?? program)
    : program;
  const name = tellingSegment(candidate)
    .replace(/(?<=.)@[^@]*$/, '')
    .replace(/^(mcp-server-|server-|mcp-)(?=.)/i, '')
    .replace(/(?<=.)(-mcp-server|-mcp|-server)$/i, '');
  return name.slice(0, 128) || 'server';
}

const sayNothing = /^(index|main|server|cli|app|start|run|dist|build|out|lib|src|bin)$/i;

/** `/apps/garden/dist/index.js` is told by `garden`. */
function tellingSegment(path: string): string {
  const segments = path.split(/[\\/]/).filter(Boolean);
  const file = segments.pop()?.replace(/\.(mjs|cjs|js|ts|py)$/i, '') ?? path;
  return (
    [...segments, file].findLast((segment) => /^\w[\w@.-]*$|^@/.test(segment) && !sayNothing.test(segment)) ??
    file
  );
}

const lastSegment = (path: string) => path.split(/[\\/]/).filter(Boolean).at(-1) ?? path;

/** The name itself, or with the first number that is free. */
export function freeName(name: string, usedNames: ReadonlySet<string>): string {
  for (let number = 1; ; number++) {
    const candidate = number === 1 ? name : `${name}-${number}`;
    if (!usedNames.has(candidate)) return candidate;
  }
}
