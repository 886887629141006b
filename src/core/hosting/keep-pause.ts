import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { replaceFileSync } from '../../files';
import type { Log, Observable } from '../foundation';

/** "Pause all tools" holds until the person resumes them, also where the app ended in between. Returns what ends this. */
export function keepPause(
  dataFolder: string,
  app: {
    readonly mcp: {
      readonly servers: Observable<{ readonly paused: boolean }>;
      setPaused(paused: boolean): void;
    };
    readonly dataFolder: { whenMadeAnew(putBack: () => void): () => void };
  },
  log: Log,
): () => void {
  const { mcp } = app;
  const mark = join(dataFolder, 'tools-paused');
  let paused = existsSync(mark);
  if (paused) mcp.setPaused(true);
  const leaveFolder = app.dataFolder.whenMadeAnew(() => {
    if (paused) replaceFileSync(mark, '');
  });
  const leaveServers = mcp.servers.onChange((now) => {
    if (now.paused === paused) return;
    paused = now.paused;
    try {
      if (paused) replaceFileSync(mark, '');
      else rmSync(mark, { force: true });
    } catch (error) {
      log.warn('the pause of all tools is not kept', { error });
    }
  });
  return () => {
    leaveFolder();
    leaveServers();
  };
}
