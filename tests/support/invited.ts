import { createAccess } from '../../src/node/access';

/** The address of an app that serves, with an invitation for one browser, as `interlinear browsers invite` prints it. */
export const invited = (address: string, dataFolder: string): string =>
  `${new URL(address).origin}/#invitation=${createAccess(dataFolder).invite()}`;
