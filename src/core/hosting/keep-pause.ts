import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { replaceFileSync } from '../../files';
import type { Log, Picture } from '../foundation';

/** "Pause all tools" holds until the person resumes them, also where the app ended in between. Returns what ends this. */
export function keepPause(
  dataFolder: string,
  mcp: { readonly servers: Picture<{ readonly paused: boolean }>; setPaused(paused: boolean): void },
  log: Log,
): () => void {
  const mark = join(dataFolder, 'tools-paused');
  let paused = existsSync(mark);
  if (paused) mcp.setPaused(true);
  return mcp.servers.onChange((now) => {
    if (now.paused === paused) return;
    paused = now.paused;
    try {
      if (paused) replaceFileSync(mark, '');
      else rmSync(mark, { force: true });
    } catch (error) {
      log.warn('the pause of all tools is not kept', { error });
    }
  });
}
