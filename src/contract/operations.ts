import { agentsOperations } from './agents';
import { appOperations } from './app';
import { chatOperations } from './chat';
import { healthOperations } from './health';
import { historyOperations } from './history';
import { hooksOperations } from './hooks';
import { mcpOperations } from './mcp';
import { notesOperations } from './notes';
import { projectsOperations } from './projects';
import { providersOperations } from './providers';
import { recoveryOperations } from './recovery';
import { settingsOperations } from './settings';
import { toolsOperations } from './tools';
import { vaultOperations } from './vault';
import { versionsOperations } from './versions';
import { viewsOperations } from './views';
import { windowsOperations } from './windows';

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
  ...windowsOperations,
} as const;
export type AppOperations = typeof operations;
