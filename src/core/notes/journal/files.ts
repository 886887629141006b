import { renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { syncFolder, syncFolderNow } from '../../../files';
import type { Log } from '../../foundation';
import type { JournalBases } from './bases';
import { overtakenName } from './names';
import { type Part, quietly } from './part';

/** The files of one journal, each at its place, and whether they can be written. */
export interface JournalFiles {
  readonly current: Part | null;
  /** Takes the place of `current` once it is on disk. */
  next: Part | null;
  /** The journal's name is not on disk yet. */
  isUnnamed: boolean;
  readonly hasFailed: boolean;
  fail(error: unknown): false;
  /** Whether the current one is at its place, as it was written. */
  stands(): boolean;
  /** What is written takes the place of what there was. Throws what renaming throws. */
  take(part: Part, place: string): void;
  abandon(part: Part | null): void;
  /** There is something at another place that goes once this is whole. */
  hasFormer(): boolean;
  overtake(hash: string): Promise<void>;
  overtaken(): void;
  /** `at`: where the journal is if it was never begun. */
  close(options: { keep: boolean; at: () => string | null }): void;
}

interface JournalFilesParts {
  readonly sessionId: string;
  readonly former: string | null;
  readonly bases: JournalBases;
  readonly log: Log;
  readonly onState: (failure: string | null) => void;
}

/** One closure, since a file that fails, moves or is overtaken changes what each of the others may do. */
export function createJournalFiles({
  sessionId,
  bases,
  log,
  onState,
  ...start
}: JournalFilesParts): JournalFiles {
  let { former } = start;
  /** Where it was begun last. */
  let begunAt: string | null = null;
  let current: Part | null = null;
  let hasFailed = false;

  function fail(error: unknown): false {
    if (hasFailed) return false;
    hasFailed = true;
    log.error('journal can not be written', { error });
    onState(error instanceof Error ? error.message : String(error));
    return false;
  }

  const files: JournalFiles = {
    get current() {
      return current;
    },
    next: null,
    isUnnamed: false,
    get hasFailed() {
      return hasFailed;
    },
    fail,
    stands() {
      if (!current || hasFailed) return !hasFailed;
      const { path, file } = current;
      try {
        const standing = file.stands(path);
        if (standing === 'yes') return true;
        const is = standing === 'another' ? 'Another file is at' : 'Another program changed';
        return fail(new Error(`${is} ${path}.`));
      } catch (error) {
        return fail(error);
      }
    },
    take(part, place) {
      // Windows does not rename over a file that is open.
      current?.file.close();
      current = null;
      renameSync(part.path, place);
      current = { ...part, path: place };
      begunAt = place;
      files.isUnnamed = true;
      if (hasFailed) onState(null);
      hasFailed = false;
      bases.keepOnly(part.baseFile);
      if (former !== null && former !== place) {
        syncFolderNow(dirname(place));
        rmSync(former, { force: true });
      }
      former = null;
    },
    abandon(part) {
      if (!part) return;
      part.file.close();
      quietly(() => rmSync(part.path, { force: true }));
      if (files.next === part) files.next = null;
    },
    hasFormer: () => former !== null,
    /** The former one stays where it can't be renamed. */
    async overtake(hash) {
      const at = begunAt ?? former;
      if (at === null) return;
      const marked = join(dirname(at), overtakenName(sessionId, hash));
      if (at === marked) return;
      try {
        renameSync(at, marked);
        current?.file.close();
        current = null;
        begunAt = null;
        former = marked;
        await syncFolder(dirname(marked));
      } catch (error) {
        log.warn('journal not marked', { error });
      }
    },
    overtaken() {
      const at = former;
      if (at === null || current) return;
      former = null;
      quietly(() => rmSync(at, { force: true }));
    },
    close({ keep, at }) {
      if (hasFailed) onState(null);
      files.abandon(files.next);
      const part = current;
      current = null;
      part?.file.close();
      const path = begunAt ?? former ?? at();
      if (!keep && path !== null) quietly(() => rmSync(path, { force: true }));
      // Without a file of its own the former one is what there is.
      if (part || !keep) bases.close(keep ? (part?.baseFile ?? null) : null);
    },
  };
  return files;
}
