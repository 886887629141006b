import { accessSync, constants, existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { NoSandbox } from '../../contract/sandbox';
import { noSandboxWords } from '../../contract/server-faults';
import { standingOf } from '../../contract/server-state';
import type { App } from '../../core/app';
import { isSecretInAddress, maskedAddress } from '../../core/foundation';
import type { Host } from '../../core/host';
import { ollamaAddress } from '../../core/providers';
import { settingsTroubles } from '../../core/settings';
import { findChromium, hasDisplay } from '../open-browser';
import { type CommandLine, exitCodes, withApp } from './command-line';

interface Finding {
  readonly level: 'ok' | 'note' | 'problem';
  readonly subject: string;
  readonly found: string;
  /** What to do about it. */
  readonly next?: string;
}

/** Looks at everything the app needs and says what to do where something is missing. */
export async function doctor({ json }: { json?: boolean }, commandLine: CommandLine): Promise<number> {
  const findings = [
    checkNode(),
    checkSearch(),
    await checkData(await commandLine.openHost()),
    ...checkPrograms(commandLine),
    checkPage(commandLine),
    await checkOllama(commandLine.environment),
    ...(await checkConfiguration(json, commandLine)),
  ];
  if (json) commandLine.out(`${JSON.stringify(findings, null, 2)}\n`);
  else for (const finding of findings) commandLine.out(printed(finding));
  return findings.some(({ level }) => level === 'problem') ? exitCodes.failed : exitCodes.ok;
}

function printed({ level, subject, found: result, next }: Finding): string {
  const mark = { ok: '✓', note: '·', problem: '✗' }[level];
  return `${mark} ${subject}: ${result}\n${next ? `  → ${next}\n` : ''}`;
}

function checkNode(): Finding {
  const major = Number(process.versions.node.split('.', 1).join());
  const version = `${process.versions.node} on ${process.platform} ${process.arch}`;
  if (major >= 22) return { level: 'ok', subject: 'Node', found: version };
  return {
    level: 'problem',
    subject: 'Node',
    found: version,
    next: 'Start through bin/interlinear.mjs, which brings its own.',
  };
}

function checkSearch(): Finding {
  const database = new DatabaseSync(':memory:');
  try {
    database.exec('create virtual table probe using fts5(text)');
    return { level: 'ok', subject: 'Search', found: 'full-text index available' };
  } catch {
    return {
      level: 'note',
      subject: 'Search',
      found: 'no full-text index in this Node; notes are scanned instead',
    };
  } finally {
    database.close();
  }
}

async function checkData({ dataFolder, secrets }: Host): Promise<Finding> {
  const keys = { system: 'the system keyring', file: 'an encrypted file', memory: 'memory only' }[
    secrets.kind
  ];
  const probe = join(dataFolder, `.probe-${process.pid}`);
  try {
    await mkdir(dataFolder, { recursive: true });
    await writeFile(probe, '', { flag: 'wx' });
    await rm(probe);
    return { level: 'ok', subject: 'Data', found: `${dataFolder}; keys in ${keys}` };
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? 'unknown error';
    const next = 'Make the folder writable, or set INTERLINEAR_DATA to another one.';
    return { level: 'problem', subject: 'Data', found: `${dataFolder} cannot be written (${reason})`, next };
  }
}

function checkPrograms({ environment }: CommandLine): Finding[] {
  const starters: Finding[] = ['npx', 'uvx', 'docker'].map((program) =>
    onPath(program, environment)
      ? { level: 'ok', subject: program, found: 'on the PATH' }
      : { level: 'note', subject: program, found: 'not on the PATH; servers that start with it will not' },
  );
  const browser = findChromium(environment);
  return [
    ...starters,
    {
      level: browser ? 'ok' : 'note',
      subject: 'Browser',
      found: browser ?? 'no Chromium found; the default browser is used',
    },
    ...(hasDisplay(environment)
      ? []
      : [{ level: 'note' as const, subject: 'Display', found: 'none; serve prints the address' }]),
  ];
}

function onPath(program: string, { PATH = '', PATHEXT = '' }: CommandLine['environment']): boolean {
  const endings = process.platform === 'win32' ? PATHEXT.split(';') : [''];
  return PATH.split(delimiter).some((folder) =>
    endings.some((ending) => {
      try {
        accessSync(join(folder, program + ending), constants.X_OK);
        return true;
      } catch {
        return false;
      }
    }),
  );
}

function checkPage({ appRoot }: CommandLine): Finding {
  return existsSync(join(appRoot, 'out/renderer/index.html'))
    ? { level: 'ok', subject: 'Page', found: 'built' }
    : { level: 'problem', subject: 'Page', found: 'not built', next: 'npm run build' };
}

async function checkOllama({ OLLAMA_HOST }: CommandLine['environment']): Promise<Finding> {
  const address = ollamaAddress(OLLAMA_HOST ?? '');
  const where = maskedAddress(address);
  if (isSecretInAddress(address)) {
    return {
      level: 'problem',
      subject: 'Ollama',
      found: `OLLAMA_HOST (${where}) has a name, a password or a key in it. It is not used.`,
      next: 'Take it out of OLLAMA_HOST.',
    };
  }
  try {
    const response = await fetch(new URL('/api/version', address), { signal: AbortSignal.timeout(1000) });
    return response.ok
      ? { level: 'ok', subject: 'Ollama', found: `answers at ${where}` }
      : { level: 'note', subject: 'Ollama', found: `${where} answered ${response.status}` };
  } catch {
    return { level: 'note', subject: 'Ollama', found: `not running at ${where}` };
  }
}

function checkSandbox(trouble: NoSandbox | null): Finding {
  const subject = 'Sandbox';
  if (trouble !== null) {
    const result =
      'none can be made here; servers that a vault brings do not start until you let them run without';
    return {
      level: 'note',
      subject,
      found: result,
      next: `${noSandboxWords[trouble.why]} (${trouble.detail})`,
    };
  }
  // To the kernel root is root, also within one.
  const isRoot = process.getuid?.() === 0;
  if (!isRoot) return { level: 'ok', subject, found: 'a server can be put into one here' };
  const result = 'a server can be put into one here, but as root it can still change settings of the kernel';
  return { level: 'note', subject, found: result, next: 'Run the app as another user.' };
}

function checkConfiguration(json: boolean | undefined, commandLine: CommandLine): Promise<Finding[]> {
  const findings = async (app: App): Promise<Finding[]> => {
    // Before that their file is not read.
    await app.mcp.useVault(null);
    const { servers, problems } = app.mcp.servers.get();
    const off = servers.filter(({ state }) => !standingOf(state).on).length;
    const providers = await app.providers.listed();
    // Without a vault nobody knows where its folders are.
    const roots = await Promise.all(
      servers.map(async ({ id, name }) => (await app.mcp.roots(id)).map((one) => ({ ...one, name }))),
    );
    const missingRoots = roots
      .flat()
      .filter(({ root, isThere }) => !isThere && !root.includes('$' + '{vault}'));
    return [
      ...settingsTroubles(app.settings.current.get()).map(
        (trouble): Finding => ({
          level: 'problem',
          subject: 'Certificates',
          found: trouble.replace(/^[\w.]+: /, ''),
          next: 'Put the file back, or name another in Settings → General.',
        }),
      ),
      {
        level: 'ok',
        subject: 'Servers',
        found: `${servers.length} configured${off > 0 ? `, ${off} switched off` : ''}; “interlinear health” starts and checks them`,
      },
      checkSandbox(await app.mcp.sandboxTrouble()),
      ...problems.map(
        ({ file, message }): Finding => ({
          level: 'problem',
          subject: 'Servers',
          found: message,
          next: `Correct ${file}`,
        }),
      ),
      ...missingRoots.map(
        ({ name, root }): Finding => ({
          level: 'problem',
          subject: name,
          found: `is told of the folder ${root}, which is not there`,
          next: 'Take it from the folders that the server may know of, or make it.',
        }),
      ),
      ...providers.map(
        ({ label, key }): Finding =>
          key === 'missing'
            ? { level: 'problem', subject: label, found: 'no key', next: 'Add its key in the settings.' }
            : { level: 'ok', subject: label, found: key === 'not-needed' ? 'needs no key' : `key: ${key}` },
      ),
    ];
  };
  return withApp(commandLine, findings, { ...(json && { json }) });
}
