import { randomBytes } from 'node:crypto';
import { existsSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { makeOwnFolder, writeNewSync } from '../../files';

/**
 * A page that leads a browser to the invitation. The browser gets this file as its argument: every account of the machine
 * may read the arguments of a program, and nobody else may read the file.
 */
export function writeInvitationFile(
  dataFolder: string,
  invitation: string,
  home = homedir(),
): { address: string; remove(): void } {
  const folder = folderFor(dataFolder, home);
  makeOwnFolder(folder);
  const path = join(folder, `interlinear-${randomBytes(9).toString('base64url')}.html`);
  const html = `<!doctype html>
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0;url=${invitation}">
<title>Interlinear</title>
<p><a href="${invitation}">Open Interlinear</a></p>
`;
  writeNewSync(path, html);
  return { address: pathToFileURL(path).href, remove: () => rmSync(path, { force: true }) };
}

/** Browsers that are snaps may not read hidden folders; what they may read lies in a folder of their own. */
function folderFor(dataFolder: string, home: string): string {
  const ofSnap = ['firefox', 'chromium'].map((name) => join(home, 'snap', name, 'common')).find(existsSync);
  return ofSnap ?? join(dataFolder, 'browsers');
}
