import { isUnder } from '../../../contract/paths';
import { look, settingsFolder } from '../tree/walk';
import type { Watcher } from './watch';

/** The vault's own settings: no entries of it, but whoever changes them is told of. */
export interface SettingsWatch {
  /** Begins with the folders of them that are there. */
  watch(): void;
  /** It is another one than was told of last: who looks at it has not changed it. */
  isAnother(path: string): boolean;
}

export const isSetting = (path: string) => isUnder(path, settingsFolder);

export function createSettingsWatch(
  root: string,
  recursive: boolean,
  watcher: Pick<Watcher, 'watch'>,
): SettingsWatch {
  /** As they were told of last. */
  const marks = new Map<string, string>();

  return {
    watch() {
      if (recursive || look(root, settingsFolder)?.entry.kind !== 'folder') return;
      watcher.watch(settingsFolder);
      for (const name of ['agents', 'prompts']) {
        const folder = `${settingsFolder}/${name}`;
        if (look(root, folder)?.entry.kind === 'folder') watcher.watch(folder);
      }
    },
    isAnother(path) {
      const item = look(root, path);
      const now = item ? `${item.ino} ${item.entry.size} ${item.entry.modified}` : 'none';
      const isAnother = marks.get(path) !== now;
      marks.set(path, now);
      return isAnother;
    },
  };
}
