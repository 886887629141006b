import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, realpathSync, rmdirSync, rmSync } from 'node:fs';
import { BlockList, isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { SandboxManager } from '@anthropic-ai/sandbox-runtime';
import type { NoSandbox } from '../../../contract/sandbox';
import type { FromKeeper, ToKeeper, WrapRequest } from './keeper-messages';

/**
 * A program of its own, which keeps the sandboxes of an app: the library has one manager a process, takes the folder and the
 * home of its process for those of what it wraps, and leaves its relay behind where the process is killed. This one runs in an
 * empty folder and outlives the app just long enough to put things away. It imports nothing of ours, so that plain Node runs it.
 */
const [, , folder = '', mode = 'listed'] = process.argv;
const trialMs = 10_000;

const tell = (message: FromKeeper) => void process.stdout.write(`${JSON.stringify(message)}\n`);

/** Lies beside the bundle in a build, else in the package. */
function seccompHelper(): string | null {
  const place = join('vendor', 'seccomp', process.arch, 'apply-seccomp');
  const here = dirname(fileURLToPath(import.meta.url));
  const inPackage = () =>
    join(dirname(fileURLToPath(import.meta.resolve('@anthropic-ai/sandbox-runtime'))), '..', place);
  for (const path of [() => join(here, place), () => join(here, '..', place), inPackage]) {
    try {
      return realpathSync(path());
    } catch {
      // Not there.
    }
  }
  return null;
}

const helper = process.platform === 'linux' ? seccompHelper() : null;

/** Of which nobody on the internet is one. */
const notPublic = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '168.63.129.16/32', '169.254.0.0/16'],
  ...['172.16.0.0/12', '192.0.0.0/24', '192.168.0.0/16', '198.18.0.0/15', '224.0.0.0/4', '240.0.0.0/4'],
  ...['::/8', '64:ff9b:1::/48', '2002::/16', 'fc00::/7', 'fe80::/10', 'fec0::/10', 'ff00::/8'],
];

/** Whether `*` stands for it: a name, whose address is looked at when it is dialled, or an address of the internet. */
function isPublic(host: string): boolean {
  const url = `http://${isIP(host) === 6 ? `[${host}]` : host}/`;
  if (!URL.canParse(url)) return false;
  // Reads `127.1`, `2130706433` and `0x7f.1` as whoever dials them does.
  const name = new URL(url).hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  const family = isIP(name);
  if (family === 0) return !/(^|\.)localhost$/.test(name);
  const list = new BlockList();
  for (const range of notPublic) {
    const [net = '', prefix] = range.split('/');
    list.addSubnet(net, Number(prefix), isIP(net) === 6 ? 'ipv6' : 'ipv4');
  }
  for (const { address, family } of Object.values(networkInterfaces()).flatMap((all) => all ?? []))
    list.addAddress(address, family === 'IPv6' ? 'ipv6' : 'ipv4');
  return !list.check(name, family === 6 ? 'ipv6' : 'ipv4');
}

/** How many run for which a folder of ours is held. */
const holders = new Map<string, number>();
const heldBy = new Map<string, string[]>();

function hold(key: string, paths: readonly string[]): void {
  const ours = paths.filter((path) => {
    if (holders.has(path)) return true;
    if (existsSync(path) || !existsSync(dirname(path))) return false;
    mkdirSync(path);
    return true;
  });
  for (const path of ours) holders.set(path, (holders.get(path) ?? 0) + 1);
  heldBy.set(key, ours);
}

function letGo(key: string): void {
  for (const path of heldBy.get(key) ?? []) {
    const left = (holders.get(path) ?? 1) - 1;
    if (left > 0) {
      holders.set(path, left);
      continue;
    }
    holders.delete(path);
    try {
      rmdirSync(path);
    } catch {
      // Somebody put something into it meanwhile, which stays.
    }
  }
  heldBy.delete(key);
}

async function wrap(request: WrapRequest): Promise<string> {
  const { key, script, hosts } = request;
  hold(key, request.held);
  SandboxManager.registerCommandNetworkLists(key, { allowedDomains: hosts.filter((host) => host !== '*') });
  const names = (paths: readonly string[]) =>
    paths.filter(existsSync).map((path) => ({ path, literal: true as const }));
  const { argv } = await SandboxManager.wrapWithSandboxArgv(
    script,
    '/bin/sh',
    {
      network: { allowedDomains: [], deniedDomains: [] },
      filesystem: {
        denyRead: names(request.closed),
        // In Linux what is closed hides the relay's socket and the helper as well.
        allowRead: names([...request.readable, folder, ...(helper === null ? [] : [helper])]),
        allowWrite: names(request.writable),
        denyWrite: names([...request.unwritable, ...request.held, folder]),
      },
    },
    undefined,
    undefined,
    { commandId: key },
  );
  // So that it is the process that was started, and no shell stays beside it.
  return `exec ${argv.at(-1) ?? ''}`;
}

function release(key: string): void {
  if (!heldBy.has(key)) return;
  letGo(key);
  SandboxManager.unregisterCommandNetworkLists(key);
  SandboxManager.cleanupAfterCommand();
}

async function trouble(): Promise<NoSandbox | null> {
  if (process.platform !== 'linux' && process.platform !== 'darwin')
    return { why: 'system', detail: process.platform };
  if (process.platform === 'linux' && helper === null) return { why: 'system', detail: process.arch };
  try {
    await SandboxManager.initialize(
      {
        network: {
          ...{ allowedDomains: [], deniedDomains: [] },
          ...(mode === 'any' && { deniedResolvedAddresses: notPublic }),
        },
        filesystem: { denyRead: [], allowWrite: [], denyWrite: [] },
        // It looks for what must not be written in the working folder, which is an empty one.
        ripgrep: { command: 'true' },
        ...(helper !== null && { seccomp: { applyPath: helper } }),
      },
      async ({ host }) => mode === 'any' && isPublic(host),
    );
  } catch (error) {
    const { errors } = SandboxManager.checkDependencies({ command: 'true' });
    return errors.length > 0
      ? { why: 'missing', detail: errors.join(' ') }
      : { why: 'refused', detail: String(error) };
  }
  const key = 'trial-of-the-sandbox-of-this-system';
  const nothing = { closed: [], readable: [], writable: [], unwritable: [], held: [], hosts: [] };
  const script = await wrap({ ...nothing, key, script: 'exit 0' });
  const words = await trial(script);
  release(key);
  return words === null ? null : { why: 'refused', detail: words };
}

/** Null: it ran. */
function trial(script: string): Promise<string | null> {
  return new Promise((resolve) => {
    const child = spawn('/bin/sh', ['-c', script], { stdio: ['ignore', 'ignore', 'pipe'], timeout: trialMs });
    let words = '';
    child.stderr.on('data', (chunk) => {
      words = `${words}${chunk}`.slice(0, 500);
    });
    child.once('error', (error) => resolve(error.message));
    child.once('close', (code, signal) => resolve(code === 0 ? null : words.trim() || `${code ?? signal}`));
  });
}

let told = 0;
SandboxManager.getSandboxViolationStore().subscribe((violations) => {
  const total = SandboxManager.getSandboxViolationStore().getTotalCount();
  const news = violations.slice(Math.max(0, violations.length - (total - told)));
  told = total;
  for (const { line, encodedCommand } of news) {
    const host = /^deny network-outbound (\S+) \(/.exec(line)?.[1];
    if (host === undefined || encodedCommand === undefined) continue;
    const key = Buffer.from(encodedCommand, 'base64').toString('utf8');
    if (heldBy.has(key)) tell({ kind: 'denied', key, host });
  }
});

let isEnding = false;
async function end(): Promise<void> {
  if (isEnding) return;
  isEnding = true;
  for (const key of heldBy.keys()) letGo(key);
  await SandboxManager.reset().catch(() => undefined);
  rmSync(folder, { recursive: true, force: true });
  process.exit();
}

for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => void end());
process.stdout.on('error', () => void end());

const ready = trouble().catch((error): NoSandbox => ({ why: 'refused', detail: String(error) }));
const input = createInterface({ input: process.stdin });
input.on('line', (line) => {
  const message = JSON.parse(line) as ToKeeper;
  if (message.kind === 'release') release(message.key);
  else
    wrap(message.request).then(
      (script) => tell({ kind: 'wrapped', id: message.id, script }),
      (error) => {
        release(message.request.key);
        tell({ kind: 'failed', id: message.id, message: String(error) });
      },
    );
});
input.on('close', () => void end());
tell({ kind: 'ready', trouble: await ready });
