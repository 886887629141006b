import { spawn } from 'node:child_process';
import { userInfo } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';

const mostMs = 4_000;
const graceMs = 500;
const mark = '_INTERLINEAR_ENVIRONMENT_';
let pending: Promise<string | null> | null = null;

/**
 * The PATH of the person's login shell, which a program started from a dock or menu does not have. Asked once; null
 * on Windows, when the shell fails, when it takes longer than four seconds, and once the signal is given.
 */
export function loginShellPath(signal: AbortSignal): Promise<string | null> {
  pending ??= process.platform === 'win32' ? Promise.resolve(null) : ask(signal);
  return pending;
}

async function ask(signal: AbortSignal): Promise<string | null> {
  const path = await askShell(shellOfPerson(), mostMs, signal);
  // It was not let finish: whoever wants to know later asks again.
  if (signal.aborted) pending = null;
  return path;
}

function shellOfPerson(): string {
  try {
    return process.env.SHELL ?? userInfo().shell ?? '/bin/sh';
  } catch {
    // Somebody whom the system does not list.
    return '/bin/sh';
  }
}

/**
 * What an interactive login shell says its PATH is; null when it fails, after `limit` milliseconds and on the signal. Then it ends
 * with all that its start-up files began: one that waits would keep the app from ending.
 */
export function askShell(shell: string, limit: number, signal?: AbortSignal): Promise<string | null> {
  if (signal?.aborted) return Promise.resolve(null);
  return new Promise((resolve) => {
    const child = spawn(shell, ['-ilc', `echo ${mark}; command env; echo ${mark}; exit`], {
      // A group of its own can be ended whole.
      detached: true,
      stdio: ['ignore', 'pipe', 'ignore'],
      // Some set-ups of zsh update themselves or open tmux at every start.
      env: { ...process.env, DISABLE_AUTO_UPDATE: 'true', ZSH_TMUX_AUTOSTART: 'false' },
    });
    let output = '';
    let isEnding = false;
    const end = (path: string | null) => {
      if (isEnding) return;
      isEnding = true;
      clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
      child.stdout.destroy();
      const ending = child.pid === undefined ? Promise.resolve() : endGroup(child.pid);
      // Who has the answer need not wait for the rest; who has none may be about to end, and nothing is to stay behind.
      if (path === null) void ending.then(() => resolve(null));
      else resolve(path);
    };
    const stop = () => end(null);
    const timer = setTimeout(stop, limit);
    signal?.addEventListener('abort', stop);
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk;
      const [, environment, rest] = output.split(`${mark}\n`);
      if (rest !== undefined) end(/^PATH=(.*)$/m.exec(environment ?? '')?.[1] ?? null);
    });
    child.on('error', () => end(null));
    child.on('close', () => end(null));
  });
}

/**
 * Ends a group as a terminal that is closed does, so that start-up files may take back their locks (pyenv's would hold
 * up every later shell for a minute); what is still there after `graceMs` is ended at once.
 */
async function endGroup(leader: number): Promise<void> {
  const deadline = Date.now() + graceMs;
  if (!signalGroup(leader, 'SIGHUP')) return;
  while (Date.now() < deadline) {
    await delay(20);
    if (!signalGroup(leader, 0)) return;
  }
  signalGroup(leader, 'SIGKILL');
}

/** False when nothing of the group is left. */
function signalGroup(leader: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-leader, signal);
  } catch {
    return false;
  }
}
