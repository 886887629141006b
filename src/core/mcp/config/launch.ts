import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { AppError } from '../../../contract/errors';
import type { ServerDraft } from '../../../contract/mcp';
import { folderId } from '../../../files';
import type { Host } from '../../host';
import { bundledName } from './bundled';
import { expandDraft, knowsVault, type VariableSources } from './environment';
import { launchSecrets } from './launch-secrets';
import { sandboxOf } from './sandbox-of';
import { hashOf, type ServerConfig } from './server-config';

export interface Launch {
  readonly draft: ServerDraft;
  /** What the server must not repeat. */
  readonly secrets: readonly string[];
}

/** What is really started or called: variables filled in, the folder chosen, addresses checked. */
export async function resolveLaunch(
  { level, draft, vault }: Pick<ServerConfig, 'level' | 'draft' | 'vault'>,
  sources: VariableSources,
): Promise<Launch> {
  if (vault !== undefined && (sources.vault === null || folderId(sources.vault) !== vault)) {
    const issue = 'The folder of its vault is not there, or another folder stands in its place.';
    throw new AppError('mcp.invalid-config', issue, { issues: [issue] });
  }
  const values: string[] = [];
  const secret = async (name: string) => {
    const value = await sources.secret(name);
    if (value !== null) values.push(value);
    return value;
  };
  const limits = sandboxOf({ level, draft });
  const limited = limits === null ? draft : { ...draft, sandbox: limits };
  const { draft: expanded, missing } = await expandDraft(limited, { ...sources, secret });
  if (missing.length > 0) {
    const issues = missing.map((name) =>
      name === `\${vault}` ? 'No vault is open, but the server asks for its folder.' : `${name} is not set.`,
    );
    throw new AppError('mcp.invalid-config', issues.join(' '), { issues });
  }
  if (expanded.url !== undefined) checkUrl(expanded.url);
  const base = (level === 'vault' ? sources.vault : null) ?? homedir();
  const cwd = resolve(base, expanded.cwd ?? '');
  return {
    draft: expanded.command === undefined ? expanded : { ...expanded, cwd, ...placed(expanded, base) },
    secrets: launchSecrets(expanded, { keys: values, environment: sources.environment }),
  };
}

/** The same, with the paths of its sandbox whole. */
function placed({ sandbox }: ServerDraft, base: string): Pick<ServerDraft, 'sandbox'> {
  if (!sandbox) return {};
  const whole = (paths: readonly string[] = []) => paths.map((path) => resolve(base, path));
  return { sandbox: { ...sandbox, read: whole(sandbox.read), write: whole(sandbox.write) } };
}

function checkUrl(text: string): void {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url && (url.protocol === 'http:' || url.protocol === 'https:') && !url.username && !url.password)
    return;
  const issue = url?.username
    ? 'A name or password in the address is not sent; put it into a header.'
    : 'The address has to begin with https:// or http://.';
  throw new AppError('mcp.invalid-config', issue, { issues: [issue] });
}

/** Whether a server hears of any folders; it is told so when it starts. */
export const tellsRoots = (config: Pick<ServerConfig, 'level' | 'draft'>) =>
  config.draft.roots !== undefined || knowsVault(config);

/** What only a new start can change. */
export function launchHash(config: Pick<ServerConfig, 'level' | 'draft' | 'vault'>): string {
  const { command, args, env, cwd, url, headers, transport, initTimeout, oauth, sandbox } = config.draft;
  const hasRoots = tellsRoots(config);
  // The person’s own servers are told of another vault in their own way.
  const vault = config.level === 'user' ? undefined : config.vault;
  return hashOf({
    ...{ command, args, env, cwd, url, headers, transport, hasRoots, initTimeout, oauth, vault, sandbox },
  });
}

/** The server that comes with the app, for this vault. */
export function bundledServer({ vaultServer }: Pick<Host, 'vaultServer'>, root: string): ServerDraft {
  const { command, args, env } = vaultServer;
  return { name: bundledName, command, args: [...args, root], env: { ...env } };
}
