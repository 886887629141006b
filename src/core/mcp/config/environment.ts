import { delimiter } from 'node:path';
import type { OAuthConfig, ServerDraft, ServerLevel } from '../../../contract/mcp';
import type { Sandbox } from '../../../contract/sandbox';
import { expandHome } from '../../../files';
import { variablesIn } from '../../foundation';

export interface VariableSources {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Absolute; null where no vault is open. */
  readonly vault: string | null;
  secret(name: string): Promise<string | null>;
}

/** The person's stored keys and variables that a text is filled in with. */
export function referencesIn(text: string): Reference[] {
  return [...variablesIn(text)].flatMap(([, kind, kindName, plain, , braced]): Reference[] => {
    const name = kindName ?? plain ?? braced ?? '';
    if (kind === 'secret') return [{ kind, name }];
    const isFolder = kind === undefined && (plain === 'vault' || plain === 'userHome');
    return isFolder ? [] : [{ kind: 'variable', name }];
  });
}

interface Reference {
  readonly kind: 'secret' | 'variable';
  readonly name: string;
}

/** Fills in variables. What is not set is named in `missing`, never replaced by nothing. */
export async function expand(
  text: string,
  sources: VariableSources,
): Promise<{ value: string; missing: string[] }> {
  const missing: string[] = [];
  let value = '';
  let end = 0;
  for (const match of variablesIn(text)) {
    const [whole, kind, kindName, plain, fallback, braced] = match;
    const name = kindName ?? plain ?? braced ?? '';
    const filled =
      kind === 'secret'
        ? await sources.secret(name)
        : kind === undefined && plain === 'vault'
          ? sources.vault
          : kind === undefined && plain === 'userHome'
            ? expandHome('~')
            : lookup(sources.environment, name);
    // As in a shell, `:-` also holds for an empty value.
    const replacement = filled === null || (filled === '' && fallback !== undefined) ? fallback : filled;
    if (replacement === undefined) missing.push(whole);
    value += text.slice(end, match.index) + (replacement ?? '');
    end = match.index + whole.length;
  }
  return { value: value + text.slice(end), missing };
}

/** A server's description with every string filled in; `missing` in the order met, each once. */
export async function expandDraft(
  draft: ServerDraft,
  sources: VariableSources,
): Promise<{ draft: ServerDraft; missing: string[] }> {
  const missing = new Set<string>();
  const one = async (text: string) => {
    const result = await expand(text, sources);
    for (const name of result.missing) missing.add(name);
    return result.value;
  };
  const path = async (text: string) => expandHome(await one(text));
  // Alone, a tilde may mean anything to a program.
  const argument = async (text: string) => (text === '~' ? text : path(text));
  const list = async (items: readonly string[], fill: (text: string) => Promise<string>) => {
    const filled: string[] = [];
    for (const item of items) filled.push(await fill(item));
    return filled;
  };
  const map = async (items: Readonly<Record<string, string>>) => {
    const filled: Record<string, string> = {};
    for (const [key, item] of Object.entries(items)) filled[key] = await one(item);
    return filled;
  };
  const texts = async (oauth: OAuthConfig): Promise<OAuthConfig> => {
    const { grant, callbackPort, ...rest } = oauth;
    return { ...(await map(rest)), ...(grant && { grant }), ...(callbackPort && { callbackPort }) };
  };
  const limits = async (sandbox: Sandbox): Promise<Sandbox> =>
    sandbox && {
      ...sandbox,
      ...(sandbox.read && { read: await list(sandbox.read, path) }),
      ...(sandbox.write && { write: await list(sandbox.write, path) }),
    };
  const { command, args, env, cwd, url, headers, roots, oauth, sandbox } = draft;
  const expanded: ServerDraft = {
    ...draft,
    ...(command !== undefined && { command: await path(command) }),
    ...(args && { args: await list(args, argument) }),
    ...(env && { env: await map(env) }),
    ...(cwd !== undefined && { cwd: await path(cwd) }),
    ...(url !== undefined && { url: await one(url) }),
    ...(headers && { headers: await map(headers) }),
    ...(roots && { roots: await list(roots, path) }),
    ...(oauth && { oauth: await texts(oauth) }),
    ...(sandbox !== undefined && { sandbox: await limits(sandbox) }),
  };
  return { draft: expanded, missing: [...missing] };
}

export const usesVault = (draft: ServerDraft) => JSON.stringify(draft).includes(`\${vault}`);

/**
 * Whom the vault's folders are told to: servers of the vault and those configured with it. Others are not, since some
 * (the reference filesystem server) then take them in place of the folders they were started with.
 */
export const knowsVault = ({ level, draft }: { level: ServerLevel; draft: ServerDraft }) =>
  level !== 'user' || usesVault(draft);

/** What a child may see of our own environment: enough to find programs, a home and a display language. */
const inherited = new Set([
  ...['HOME', 'LANG', 'LC_ALL', 'LC_CTYPE', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'TMPDIR', 'TZ', 'USER'],
  ...['APPDATA', 'COMSPEC', 'HOMEDRIVE', 'HOMEPATH', 'LOCALAPPDATA', 'NUMBER_OF_PROCESSORS', 'OS', 'PATHEXT'],
  ...['PROCESSOR_ARCHITECTURE', 'PROGRAMDATA', 'PROGRAMFILES', 'PROGRAMFILES(X86)', 'SYSTEMDRIVE'],
  ...['SYSTEMROOT', 'TEMP', 'TMP', 'USERNAME', 'USERPROFILE', 'WINDIR'],
  ...['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'SSL_CERT_FILE', 'SSL_CERT_DIR', 'NODE_EXTRA_CA_CERTS'],
  ...['XDG_CACHE_HOME', 'XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'XDG_RUNTIME_DIR'],
]);

/** The clean environment of a child: the few names above, the PATH to search, and what is configured. */
export function childEnvironment(
  own: Readonly<Record<string, string | undefined>>,
  configured: Readonly<Record<string, string>>,
  loginPath: string | null,
): Record<string, string> {
  const environment: Record<string, string> = {};
  for (const [name, value] of Object.entries(own)) {
    if (value === undefined || value.startsWith('()')) continue;
    if (inherited.has(name.toUpperCase())) environment[name] = value;
  }
  const pathName = Object.keys(environment).find((name) => name.toUpperCase() === 'PATH') ?? 'PATH';
  const path = joinPaths(environment[pathName] ?? '', loginPath ?? '');
  if (path !== '') environment[pathName] = path;
  for (const [name, value] of Object.entries(configured)) {
    // On Windows names differ only by case for the writer, not for the system.
    const same = process.platform === 'win32' && sameName(environment, name);
    environment[same || name] = value;
  }
  return environment;
}

const sameName = (environment: Record<string, string>, name: string) =>
  Object.keys(environment).find((key) => key.toUpperCase() === name.toUpperCase()) ?? '';

/** The login shell's folders first, ours after; each once. */
function joinPaths(own: string, login: string): string {
  return [...new Set([...login.split(delimiter), ...own.split(delimiter)])].filter(Boolean).join(delimiter);
}

function lookup(environment: VariableSources['environment'], name: string): string | null {
  return environment[name] ?? null;
}
