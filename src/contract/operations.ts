import { agentsOperations } from './agents';
import { appOperations } from './app';
import { chatOperations } from './chat';
import { type AppError, isAppError } from './errors';
import { healthOperations } from './health';
import { historyOperations } from './history';
import { hooksOperations } from './hooks';
import { mcpOperations } from './mcp';
import { notesOperations } from './notes';
import type { ErrorsOf } from './operation-errors';
import { projectsOperations } from './projects';
import { providersOperations } from './providers';
import { recoveryOperations } from './recovery';
import { settingsOperations } from './settings';
import { toolsOperations } from './tools';
import { vaultOperations } from './vault';
import { versionsOperations } from './versions';
import { viewsOperations } from './views';

/** Everything a screen may ask of the core. This table is the whole surface. */
export const operations = {
  ...appOperations,
  ...vaultOperations,
  ...notesOperations,
  ...chatOperations,
  ...mcpOperations,
  ...toolsOperations,
  ...historyOperations,
  ...viewsOperations,
  ...providersOperations,
  ...agentsOperations,
  ...settingsOperations,
  ...hooksOperations,
  ...healthOperations,
  ...projectsOperations,
  ...versionsOperations,
  ...recoveryOperations,
} as const;
export type AppOperations = typeof operations;

/** Whether asking for `operation` failed in one of these ways. A code that it cannot fail with does not compile. */
export function failedWith<N extends keyof AppOperations, C extends ErrorsOf<AppOperations[N]>>(
  _operation: N,
  error: unknown,
  ...codes: C[]
): error is { [K in C]: AppError<K> }[C] {
  return isAppError(error, ...codes);
}
