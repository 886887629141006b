import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { replaceFileSync } from '../../../files';
import { type Log, watchFile } from '../../foundation';

/** Key stores tell nobody of a change: a file in the data folder does, without saying more than that there is one. */
export function createSignInNews({
  folder,
  log,
  onNews,
}: {
  folder: string;
  log: Log;
  /** Also after what was told here. */
  onNews(): void;
}): { tell(): void; close(): void } {
  const path = join(folder, 'sign-ins.changed');
  const close = watchFile(path, onNews);
  return {
    tell() {
      try {
        replaceFileSync(path, `${randomUUID()}\n`);
      } catch (error) {
        log.warn('other processes not told of a sign-in', { error });
      }
    },
    close,
  };
}
