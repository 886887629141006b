import { spawn } from 'node:child_process';

const windows = process.platform === 'win32';

/** Sends a signal to a program and everything it has started; false if none of them is left. */
export function signalGroup(pid: number, signal: 'SIGTERM' | 'SIGKILL' | 'SIGSTOP' | 'SIGCONT' | 0): boolean {
  if (windows) {
    if (signal === 0) return isAlive(pid);
    if (signal === 'SIGSTOP' || signal === 'SIGCONT') return true;
    // Without /F a console program does not notice.
    spawn('taskkill', ['/pid', String(pid), '/T', '/F'], { stdio: 'ignore', windowsHide: true }).on(
      'error',
      () => undefined,
    );
    return true;
  }
  try {
    process.kill(-pid, signal);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
