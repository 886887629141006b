import { rmSync, statSync } from 'node:fs';
import { readlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { durableWrite, makeSharedFolder, type RootFolder, whileOthersWait } from '../../../files';
import { ToolFailure } from '../../base/failures';
import { ChangedMeanwhile } from './changed-meanwhile';
import type { Change } from './draft';

/** Where a change is written to, and what was there when it was checked. */
export interface Target {
  readonly change: Change;
  readonly place: string;
  readonly mark: string;
}

/**
 * Writes or removes one file, only as it was when it was checked, and notes each that came to be another one. `from`: goes in
 * the same tick as the new place comes, so that nobody meets the note at both.
 */
export function createTargetWriter(parts: {
  readonly home: RootFolder;
  readonly locate: (path: string) => Promise<string>;
  /** In the same tick as a file came to be another one, or went. */
  readonly onWritten: (path: string) => void;
}): (target: Target, from: Target | undefined, written: Set<string>) => Promise<void> {
  const { home, locate, onWritten } = parts;
  /** An app that saved here before there was a lock of the vault knows only this. */
  const inTurn = (work: () => void) => whileOthersWait(home.path, work);

  return async (target, from, written) => {
    const { change, place } = target;
    const { path, before, after, like } = change;
    const note = (each: string) => {
      written.add(each);
      onWritten(each);
    };
    const remove = (each: Target) => {
      home.check();
      checkMark(each);
      rmSync(each.place, { force: true });
      note(each.change.path);
    };
    if (after === null) return remove(target);
    home.check();
    if (!before) makeFolderOf(home, place, path);
    const failures: unknown[] = [];
    const onReplaced = () => {
      note(path);
      try {
        if (from) remove(from);
      } catch (error) {
        failures.push(error);
        rmSync(place, { force: true });
        written.delete(path);
        onWritten(path);
      }
    };
    try {
      const beforeReplace = () => {
        home.check();
        if (before) checkMark(target);
      };
      // What moves stays as private as it was.
      const source = from?.place ?? (like === undefined ? undefined : await locate(like));
      const mode = source === undefined ? undefined : statSync(source, { throwIfNoEntry: false })?.mode;
      const options = before ? { beforeReplace } : { exclusive: true, mode, beforeReplace };
      await durableWrite(place, after, { onReplaced, replacing: inTurn, ...options });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw await whatIsThere(path, place);
      throw error;
    }
    if (failures.length > 0) throw failures[0];
  };
}

function makeFolderOf(home: RootFolder, place: string, path: string): void {
  try {
    home.inside(dirname(place), makeSharedFolder);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'EEXIST' && code !== 'ENOTDIR') throw error;
    throw new ToolFailure('conflict', `A file is where a folder of “${path}” must be.`, {
      hint: 'Nothing was written. Move that file away, or take another path.',
    });
  }
}

export function checkMark({ change, place, mark }: Target): void {
  if (markOf(place) !== mark) throw new ChangedMeanwhile(change.path, change.before?.text);
}

export function markOf(place: string): string {
  const stats = statSync(place, { throwIfNoEntry: false });
  return stats ? `${stats.size} ${stats.mtimeMs} ${stats.ino}` : '';
}

/** Something has the name of a note that was not found: a link to nothing, or what another program made just now. */
async function whatIsThere(path: string, place: string): Promise<ToolFailure> {
  const to = await readlink(place).catch(() => null);
  if (to === null) return new ChangedMeanwhile(path);
  return new ToolFailure('conflict', `“${path}” is a symbolic link that leads nowhere: ${to}`, {
    hint: 'Nothing was written. Delete the link, or take another path.',
  });
}
