import { chat } from './chat';
import { errors } from './errors';
import { faults } from './faults';
import { files } from './files';
import { findings } from './findings';
import { hooks } from './hooks';
import { monitoring } from './monitoring';
import { offers } from './offers';
import { projects } from './projects';
import { recovery } from './recovery';
import { servers } from './servers';
import { settings } from './settings';
import { shell } from './shell';
import { tools } from './tools';
import { versions } from './versions';
import { views } from './views';

/** Every text of the screen with its two languages side by side, so that none is forgotten. */
export const strings = {
  ...shell,
  ...errors,
  ...faults,
  ...findings,
  ...files,
  ...servers,
  ...offers,
  ...tools,
  ...views,
  ...monitoring,
  ...settings,
  ...hooks,
  ...chat,
  ...projects,
  ...versions,
  ...recovery,
};
