import { type FSWatcher, watch } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock, Log } from '../foundation';
import type { Vault } from '../vault';

const settleMs = 100;

/** Reads the notes of a folder in `.interlinear` now, and again whenever something changes there. */
export function createNoteFolder<T>(parts: {
  vault: Pick<Vault, 'state' | 'root' | 'read' | 'onDiskChange'>;
  clock: Clock;
  log: Log;
  /** Below `.interlinear`. */
  folder: string;
  /** Whether the notes of a vault that nobody trusts are read. */
  untrusted: boolean;
  readNote: (path: string, text: string) => T;
  show: (entries: readonly T[]) => void;
}): { settled(): Promise<void>; refresh(): void; close(): Promise<void> } {
  const { vault, clock, log } = parts;
  const folder = `.interlinear/${parts.folder}`;
  const watchers: FSWatcher[] = [];
  let reading = Promise.resolve();
  let cancelSoon: (() => void) | null = null;
  let closed = false;

  function refresh(): void {
    reading = reading.then(readAll).catch((error: unknown) => {
      log.warn('notes not read', { folder, error });
      parts.show([]);
    });
  }

  function soon(): void {
    cancelSoon?.();
    cancelSoon = closed ? null : clock.after(settleMs, refresh);
  }

  async function readAll(): Promise<void> {
    for (const watcher of watchers.splice(0)) watcher.close();
    const state = vault.state.get();
    if (closed || state.kind !== 'open' || !(state.trusted || parts.untrusted)) return parts.show([]);
    watchers.push(...watchFolders(vault.root(), parts.folder, soon));
    const names = await readdir(join(vault.root(), ...folder.split('/'))).catch(() => []);
    const notes = names.filter((name) => /\.md$/i.test(name) && !name.startsWith('.')).sort();
    const items: T[] = [];
    for (const name of notes) {
      const path = `${folder}/${name}`;
      try {
        const { text } = await vault.read(path);
        items.push(parts.readNote(path, text.replace(/^\ufeff/, '').replaceAll('\r\n', '\n')));
      } catch (error) {
        log.warn('note not read', { path, error });
      }
    }
    if (!closed) parts.show(items);
  }

  const stops = [
    vault.state.onChange(refresh),
    vault.onDiskChange(({ changed, removed }) => {
      if ([...changed, ...removed].some((path) => path.startsWith('.interlinear'))) soon();
    }),
  ];
  refresh();

  return {
    settled: () => reading,
    refresh,
    async close() {
      closed = true;
      cancelSoon?.();
      for (const stop of stops) stop();
      await reading;
      for (const watcher of watchers.splice(0)) watcher.close();
    },
  };
}

/** The folders that exist, so that one of them being made is noticed too. A vault does not report dot folders. */
function watchFolders(root: string, folder: string, onChange: () => void): FSWatcher[] {
  const watchers: FSWatcher[] = [];
  const parents = [root, join(root, '.interlinear'), join(root, '.interlinear', folder)];
  for (const [index, path] of parents.entries()) {
    try {
      const watcher = watch(path, { persistent: false }, (_event, name) => {
        if (index > 0 || name === '.interlinear') onChange();
      });
      watcher.on('error', () => watcher.close());
      watchers.push(watcher);
    } catch {
      break;
    }
  }
  return watchers;
}
