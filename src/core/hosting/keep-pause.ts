import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Log, Picture } from '../foundation';

/** The servers' owner, as far as it pauses. */
interface Pausing {
  readonly servers: Pick<Picture<{ readonly paused: boolean }>, 'onChange'>;
  setPaused(paused: boolean): void;
}

/** "Pause all tools" holds until the person resumes them, also where the app ended in between. Returns what ends this. */
export function keepPause(dataFolder: string, mcp: Pausing, log: Log): () => void {
  const mark = join(dataFolder, 'tools-paused');
  let paused = existsSync(mark);
  if (paused) mcp.setPaused(true);
  return mcp.servers.onChange((now) => {
    if (now.paused === paused) return;
    paused = now.paused;
    try {
      if (paused) writeFileSync(mark, '', { mode: 0o600 });
      else rmSync(mark, { force: true });
    } catch (error) {
      log.warn('the pause of all tools is not kept', { error });
    }
  });
}
