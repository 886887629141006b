import { chat } from './chat';
import { files } from './files';
import { monitoring } from './monitoring';
import { offers } from './offers';
import { projects } from './projects';
import { servers } from './servers';
import { settings } from './settings';
import { shell } from './shell';
import { tools } from './tools';

/** Every text of the screen with its two languages side by side, so that none is forgotten. */
export const strings = {
  ...shell,
  ...files,
  ...servers,
  ...offers,
  ...tools,
  ...monitoring,
  ...settings,
  ...chat,
  ...projects,
};
