import type { Handlers } from '../../contract/define';
import type { AppOperations } from '../../contract/operations';
import type { App } from '../app';
import { agentsHandlers } from './agents';
import { appHandlers } from './app';
import { chatHandlers } from './chat';
import { healthHandlers } from './health';
import { historyHandlers } from './history';
import { hooksHandlers } from './hooks';
import { mcpHandlers } from './mcp';
import { notesHandlers } from './notes';
import { projectsHandlers } from './projects';
import { providersHandlers } from './providers';
import { recoveryHandlers } from './recovery';
import { settingsHandlers } from './settings';
import { toolsHandlers } from './tools';
import { vaultHandlers } from './vault';
import { versionsHandlers } from './versions';
import { viewsHandlers } from './views';
import { windowsHandlers } from './windows';

/**
 * Which part of the core answers which operation; a file here answers those that the file of its name in `contract` declares.
 * Adding an operation breaks that file until it is answered.
 */
export function createHandlers(app: App): Handlers<AppOperations> {
  return {
    ...appHandlers(app),
    ...vaultHandlers(app),
    ...notesHandlers(app),
    ...chatHandlers(app),
    ...mcpHandlers(app),
    ...toolsHandlers(app),
    ...historyHandlers(app),
    ...viewsHandlers(app),
    ...providersHandlers(app),
    ...agentsHandlers(app),
    ...settingsHandlers(app),
    ...hooksHandlers(app),
    ...healthHandlers(app),
    ...projectsHandlers(app),
    ...versionsHandlers(app),
    ...recoveryHandlers(app),
    ...windowsHandlers(app),
  };
}
