import { existsSync } from 'node:fs';
import type { Clock, FileTrouble, Log } from '../../foundation';
import { adoptVersions, folderName } from '../store/adopt';
import { createStore, folderOf, type VersionStore } from '../store/store';
import type { Limits } from '../store/thin';
import { createKeepQueue, type KeepQueue } from './queue';
import type { OnToolWrote } from './wish';

/** A vault whose notes are kept. */
export interface KeptVault {
  readonly root: string;
  /** Which folder it is. */
  readonly id: string;
  readonly store: VersionStore;
  readonly queue: KeepQueue;
}

export interface KeptVaults {
  open(root: string, id: string): KeptVault;
  /** What was asked to be kept is on disk, in all of them. */
  settled(): Promise<void>;
  close(): void;
}

/** The store of each vault that was opened, and what is said of it. */
export function createKeptVaults(parts: {
  readonly dataFolder: string;
  readonly log: Log;
  readonly clock: Clock;
  readonly limits: () => Limits;
  readonly onChange: () => void;
  readonly onTrouble: (trouble: FileTrouble) => void;
  readonly onTroubleOver: () => void;
  /** Not all that was asked for while a store could not be written is kept. */
  readonly onLeftOut: () => void;
  readonly onToolWrote: OnToolWrote | undefined;
}): KeptVaults {
  const vaults = new Map<string, KeptVault>();

  function make(root: string, id: string): KeptVault {
    const folder = folderOf(parts.dataFolder, id);
    const name = folderName(root, id);
    if (!existsSync(folder)) adoptVersions(parts.dataFolder, root, folder, parts.log);
    const { log, clock, limits, onChange, onTrouble } = parts;
    const store = createStore({
      ...{ folder, name, log, limits, now: clock.now },
      onDamage(file, lines) {
        const lost = [`${lines} ${lines === 1 ? 'version' : 'versions'}`];
        onTrouble({ file, state: 'damaged', reason: '', keptAs: null, lost });
      },
      onSetAside: (file, keptAs, kind) =>
        onTrouble({ file, state: 'damaged', reason: `It was not a ${kind}.`, keptAs, lost: [] }),
    });
    const queue = createKeepQueue({
      ...{ store, clock, log, onKept: onChange },
      ...{ onLeftOut: parts.onLeftOut, onToolWrote: parts.onToolWrote },
    });
    let reported: string | null = null;
    queue.failure.onChange((failure) => {
      onChange();
      if (failure && reported !== failure.state)
        onTrouble({ file: folder, ...failure, keptAs: null, lost: [] });
      else if (!failure) parts.onTroubleOver();
      reported = failure?.state ?? null;
    });
    return { root, id, store, queue };
  }

  return {
    open(root, id) {
      const former = vaults.get(id);
      const entry = former?.root === root ? former : former ? { ...former, root } : make(root, id);
      vaults.set(id, entry);
      return entry;
    },
    async settled() {
      for (const { queue } of vaults.values()) await queue.settled();
    },
    close() {
      for (const { queue } of vaults.values()) queue.close();
    },
  };
}
