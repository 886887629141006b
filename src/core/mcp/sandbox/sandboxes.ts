import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { ServerDraft } from '../../../contract/mcp';
import type { Denial, NoSandbox } from '../../../contract/sandbox';
import { isWithin } from '../../../files';
import { certificateVariables, type Guard } from '../../foundation';
import type { Host } from '../../host';
import { ProgramError } from '../fence/program-error';
import { startError } from '../transports/start-error';
import type { Enclosure, Startable } from '../transports/stdio';
import { createDenials, deniedHost, deniedPath } from './denials';
import { createKeeper } from './keeper';
import { policyFor } from './policy';
import { filesOfProgram, placeOfProgram } from './program-files';
import { ledAway } from './way-to';

/** Fences round the programs of servers: what they read, write and reach is what their entries say. */
export interface Sandboxes {
  /** Null: they can be made here. */
  trouble(): Promise<NoSandbox | null>;
  /**
   * A new one, for one process; null where the entry, variables filled in, asks for none. `vault`: the folder that brings the
   * server; null: none does.
   */
  around(serverId: string, draft: ServerDraft, vault: string | null): Enclosure | null;
  /** What a server was refused since it was last started. */
  denials(serverId: string): readonly Denial[];
  /** It is started anew. */
  forget(serverId: string): void;
  close(): Promise<void>;
}

/** One closure: what a process was refused is told by its key, or in its own words by what is closed to it. */
export function createSandboxes({
  host,
  node,
  guard,
  onDenial,
}: {
  readonly host: Pick<Host, 'dataFolder' | 'environment' | 'sandboxProgram'>;
  /** How plain Node is run. */
  readonly node: { readonly command: string; readonly env: Readonly<Record<string, string>> };
  readonly guard: Guard;
  onDenial(): void;
}): Sandboxes {
  const denials = createDenials(onDenial);
  const servers = new Map<string, string>();
  const parts = {
    node,
    program: host.sandboxProgram ?? null,
    environment: host.environment,
    guard,
    onDenied(key: string, text: string) {
      const serverId = servers.get(key);
      const denial = deniedHost(text);
      if (serverId !== undefined && denial !== null) denials.add(serverId, denial);
    },
  };
  const listed = createKeeper(parts, 'listed');
  const any = createKeeper(parts, 'any');

  return {
    trouble: listed.trouble,
    around(serverId, draft, vault) {
      const { sandbox } = draft;
      if (!sandbox) return null;
      const { read = [], write = [], hosts = [] } = sandbox;
      const keeper = hosts.includes('*') ? any : listed;
      const key = randomBytes(16).toString('base64url');
      let refusedPath: (words: string) => Denial | null = () => null;
      return {
        async enter(program) {
          const ownFolder = ownFolderOf(host.dataFolder, serverId);
          const { dataFolder } = host;
          const home = homedir();
          const cwd = program.cwd ?? ownFolder;
          if (vault !== null) refuseLedAway([...read, ...write, cwd], vault, [ownFolder, ...write]);
          const searched = {
            ...{ ...program, cwd, home, dataFolder, path: program.environment.PATH ?? '' },
            changeable: [ownFolder, ...write, ...(vault === null ? [] : [vault])],
          };
          const place = placeOfProgram(searched);
          if (place === null)
            throw startError({ name: '', message: '', code: 'ENOENT' }, program.command, program.environment);
          // Of the computer; what the entry itself names it reads where its limits say so.
          const certificates = certificateVariables.flatMap((name) =>
            name in (draft.env ?? {}) ? [] : (program.environment[name] ?? []),
          );
          const policy = policyFor({
            ...{ ownFolder, home, dataFolder },
            limits: { read: [...read, ...certificates], write, hosts },
            program: filesOfProgram(searched, place),
          });
          refusedPath = (words) => deniedPath(words, policy.closed, policy.readable);
          servers.set(key, serverId);
          const script = await keeper.wrap({ ...policy, key, hosts, script: `eval "$${variable}"` });
          // A folder is there as well, though empty, round each file that is open.
          const isOpen = policy.readable.some((path) => isWithin(path, cwd) || isWithin(cwd, path));
          return {
            command: '/bin/sh',
            args: ['-c', script],
            cwd: isOpen ? cwd : ownFolder,
            environment: environmentIn(ownFolder, draft.env ?? {}, { ...program, command: place }),
          };
        },
        heard(words) {
          const denial = refusedPath(words);
          if (denial !== null) denials.add(serverId, denial);
        },
        left() {
          if (servers.delete(key)) keeper.release(key);
        },
      };
    },
    denials: denials.of,
    forget: denials.forget,
    async close() {
      await Promise.all([listed.close(), any.close()]);
    },
  };
}

/** Holds the command line on its way in: as an argument of an argument it would grow with each quote. */
const variable = 'INTERLINEAR_RUN';

/** What was agreed to is the path that was shown, and not where a link in the vault leads at this start. */
function refuseLedAway(paths: readonly string[], vault: string, written: readonly string[]): void {
  const led = ledAway(paths, { vault, written });
  if (led === null) return;
  const where = led.end === null ? 'nowhere' : `to “${led.end}”, outside of the vault`;
  const detail = `“${led.path}” leads ${where}.`;
  throw new ProgramError({ code: 'no-sandbox', why: 'refused', detail });
}

/** Its home, which stays from start to start: caches, what it keeps by itself. */
function ownFolderOf(dataFolder: string, serverId: string): string {
  const folder = join(dataFolder, 'sandboxes', serverId.replace(/[^\w.-]/g, '_').slice(0, 100));
  try {
    mkdirSync(join(folder, 'tmp'), { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new ProgramError({ code: 'no-sandbox', why: 'refused', detail: String(error) }, { cause: error });
  }
  return folder;
}

/** The library's own variables, its proxy above all, come on top of these. */
function environmentIn(
  ownFolder: string,
  configured: Readonly<Record<string, string>>,
  { command, args, environment }: Startable,
): Record<string, string> {
  const temporary = join(ownFolder, 'tmp');
  const own = { HOME: ownFolder, TMPDIR: temporary, TMP: temporary, TEMP: temporary };
  const rest = Object.entries(environment).filter(
    // They point into the home folder, which is closed.
    ([name]) => name in configured || !(name.startsWith('XDG_') || /_proxy$/i.test(name)),
  );
  const line = [command, ...args].map(quoted).join(' ');
  const run = `unset ${variable}; export TMPDIR=${quoted(configured.TMPDIR ?? temporary)}; exec ${line}`;
  return { ...Object.fromEntries(rest), ...own, ...configured, NODE_USE_ENV_PROXY: '1', [variable]: run };
}

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
