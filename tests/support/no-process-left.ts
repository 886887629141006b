import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

interface Left {
  readonly pid: number;
  readonly command: string;
}

/**
 * For test runners: gives the run a temporary folder of its own, and fails it if a process that was started in it is
 * still there at the end. Apps, servers and what those start all inherit the folder's name in their environment.
 */
export default function setup(): () => Promise<void> {
  return watchProcesses(5_000);
}

/** `graceMs`: how long what was told to end may take. */
export function watchProcesses(graceMs: number): () => Promise<void> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'il-')));
  for (const name of process.platform === 'win32' ? ['TMP', 'TEMP'] : ['TMPDIR']) process.env[name] = folder;
  return async () => {
    const left = await waitForEnd(folder, graceMs);
    for (const { pid } of left) stop(pid);
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    if (left.length === 0) return;
    // Not every runner fails for what its teardown throws.
    process.exitCode = 1;
    const list = left.map(({ pid, command }) => `  ${pid} ${command}`).join('\n');
    throw new Error(`The tests left ${left.length} of their processes behind (now ended):\n${list}`);
  };
}

async function waitForEnd(folder: string, graceMs: number): Promise<Left[]> {
  const until = performance.now() + graceMs;
  for (;;) {
    const left = startedIn(folder);
    if (left.length === 0 || performance.now() > until) return left;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** All processes with the folder in their environment, but for the runner's own. */
function startedIn(folder: string): Left[] {
  switch (process.platform) {
    case 'linux':
      return readdirSync('/proc').flatMap((name) =>
        /^\d+$/.test(name) ? fromProc(Number(name), folder) : [],
      );
    case 'darwin':
      return spawnSync('ps', ['-axEww', '-o', 'pid=,ppid=,command='], { encoding: 'utf8' })
        .stdout.split('\n')
        .filter((line) => line.includes(`TMPDIR=${folder}`))
        .map((line) => line.trim().split(/\s+/))
        .filter(([pid, parent]) => ![pid, parent].includes(String(process.pid)))
        .map(([pid, , ...command]) => ({ pid: Number(pid), command: command.slice(0, 4).join(' ') }));
    default:
      return [];
  }
}

function fromProc(pid: number, folder: string): Left[] {
  try {
    const read = (file: string) => readFileSync(`/proc/${pid}/${file}`, 'utf8');
    if (!`\0${read('environ')}\0`.includes(`\0TMPDIR=${folder}\0`)) return [];
    const [state, parent] = read('stat')
      .replace(/^.*\) /s, '')
      .split(' ');
    // The runner's workers are its children; they end with it.
    if (state === 'Z' || pid === process.pid || Number(parent) === process.pid) return [];
    return [{ pid, command: read('cmdline').replaceAll('\0', ' ').trim().slice(0, 300) }];
  } catch {
    // It ended meanwhile, or is another person's.
    return [];
  }
}

function stop(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It was faster.
  }
}
