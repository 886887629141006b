import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { VaultEntry } from '../../../contract/vault';
import { folderIdInTime } from '../../../files';
import type { Clock } from '../../foundation';

const lookEveryMs = 1_000;
const mostCompared = 40;
/** Some disks keep time no finer. */
const timeGrainMs = 2_000;
const mostBeside = 500;

/** What stands where the vault was. */
export type Instead = 'nothing' | 'another' | 'vault';

export interface Lost {
  readonly root: string;
  readonly id: string | null;
  /** As they were last seen. */
  readonly entries: readonly VaultEntry[];
}

/**
 * A vault is there again when its folder is; or when a folder is there in which most notes are as they were: a disk that was
 * plugged in again may give its folders other numbers.
 */
export async function standsInstead({ root, id, entries }: Lost): Promise<Instead> {
  const now = await folderIdInTime(root);
  if (now === null) return 'nothing';
  if (now === id) return 'vault';
  const files = entries.filter(({ kind }) => kind !== 'folder');
  const step = Math.max(1, Math.floor(files.length / mostCompared));
  const compared = files.filter((_, index) => index % step === 0);
  const same = await Promise.all(compared.map((entry) => isAsItWas(root, entry)));
  if (compared.length > 0 && same.filter(Boolean).length * 2 >= compared.length) return 'vault';
  const names = await readdir(root).catch(() => []);
  return names.length === 0 ? 'nothing' : 'another';
}

async function isAsItWas(root: string, { path, size, modified }: VaultEntry): Promise<boolean> {
  const there = await stat(join(root, path)).catch(() => null);
  return there?.isFile() === true && there.size === size && Math.abs(there.mtimeMs - modified) <= timeGrainMs;
}

/** The folder under another name beside where it was. */
export async function movedBeside({ root, id }: Pick<Lost, 'root' | 'id'>): Promise<string | null> {
  const parent = dirname(root);
  const names = await readdir(parent).catch(() => []);
  if (id === null || names.length > mostBeside) return null;
  for (const name of names) {
    const path = join(parent, name);
    if (name !== basename(root) && (await folderIdInTime(path)) === id) return path;
  }
  return null;
}

/** Waits until a lost vault is there again. */
export function createReturnWatch(clock: Clock) {
  return {
    /** `onBack` ends the waiting; what is there instead is told each time. */
    wait(
      lost: Lost,
      { onBack, onInstead }: { onBack: () => Promise<void>; onInstead: (instead: Instead) => void },
    ): () => void {
      let cancel: () => void = () => undefined;
      let ended = false;
      const again = () => {
        if (!ended) cancel = clock.after(lookEveryMs, () => void lookAgain());
      };
      const lookAgain = async () => {
        try {
          const instead = await standsInstead(lost);
          if (ended) return;
          if (instead === 'vault') return await onBack();
          onInstead(instead);
        } catch {
          // Gone again while it was opened.
        }
        again();
      };
      again();
      return () => {
        ended = true;
        cancel();
      };
    },
  };
}
