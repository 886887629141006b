import type { ServerCondition } from './server-state';

/** How a server is, in the English of the tray and of the terminal. */
export const serverStateWords: Readonly<Record<ServerCondition, string>> = {
  stopped: 'not started',
  starting: 'starting',
  ready: 'ready',
  degraded: 'slow',
  unhealthy: 'not answering',
  'needs-sign-in': 'needs sign-in',
  waiting: 'waiting to retry',
  failed: 'failed',
  off: 'switched off',
  'given-up': 'off after failures',
};
