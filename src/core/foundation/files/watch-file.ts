import { type FSWatcher, watch } from 'node:fs';
import { basename, dirname } from 'node:path';

const calmMs = 100;

/**
 * Calls after a file was changed, replaced, made or removed by anybody. The folder is watched, because programs replace
 * files whole; where it does not exist yet, the folder above is watched until it does.
 */
export function watchFile(path: string, onChange: () => void): () => void {
  const folder = dirname(path);
  let watcher: FSWatcher | null = null;
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;

  function changed(): void {
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (!stopped) onChange();
    }, calmMs);
  }

  function open(target: string, onEvent: (name: string | null) => void): boolean {
    try {
      watcher?.close();
      watcher = watch(target, { persistent: false }, (_event, name) => onEvent(name));
      watcher.on('error', () => arm());
      return true;
    } catch {
      watcher = null;
      return false;
    }
  }

  function arm(): void {
    if (stopped) return;
    const name = basename(path);
    const inFolder = open(folder, (changedName) => {
      if (changedName === null || changedName === name) changed();
      // The folder itself was renamed or removed.
      else if (changedName === basename(folder)) rearm();
    });
    if (inFolder) return;
    open(dirname(folder), (changedName) => {
      if (changedName === null || changedName === basename(folder)) rearm();
    });
  }

  function rearm(): void {
    arm();
    changed();
  }

  arm();
  return () => {
    stopped = true;
    clearTimeout(timer);
    watcher?.close();
  };
}
