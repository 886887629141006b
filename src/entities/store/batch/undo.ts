import { rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { durableWrite, makeSharedFolder, type RootFolder } from '../../../files';
import { toFailure } from '../../base/failures';
import { mergeTexts } from '../../base/merge-text';
import type { Records } from '../records/own-records';
import { recordName } from './batch-record';
import type { Document } from './document';
import { isElsewhere } from './elsewhere';
import { isFree } from './free-place';
import type { Journal } from './journal';
import type { JournalFile } from './journal-file';
import { createMovingBack, type Undone } from './moved-back';
import { syncFoldersOf } from './sync-folders';
import { sayLeft } from './undo-record';

/** Undoes what a journal tells of, and ends it. Longer than most: one transaction, whose steps stand in their order. */
export function createUndo(parts: {
  readonly home: RootFolder;
  readonly records: Records;
  readonly journalFile: JournalFile;
  readonly locate: (path: string) => Promise<string>;
  readonly find: (path: string) => Promise<Document | null>;
  /** In the same tick as a file came to be another one, or went. */
  readonly onWritten: (path: string) => void;
}): (journal: Journal) => Promise<void> {
  const { home, records, journalFile, locate, find, onWritten } = parts;
  const movedBack = createMovingBack({ home, locate, find, onWritten });

  async function undo(journal: Journal): Promise<void> {
    const remaining: string[] = [];
    const reachable: Undone[] = [];
    const unreachable: Undone[] = [];
    for (const file of journal.files.toReversed()) {
      if (await isReachable(file)) reachable.push(file);
      else unreachable.push(file);
    }
    const { files, staying } = await movedBack(reachable, unreachable);
    /** Whether a text that can't be put back may be nowhere but in the journal. */
    let isLast = false;
    for (const file of unreachable) {
      if (staying.has(file.path)) continue;
      remaining.push(file.path);
      isLast ||= !isElsewhere(file, '');
    }
    for (const to of reachable) {
      if (!staying.has(to.path) || to.moved_from === undefined) continue;
      remaining.push(to.path, to.moved_from);
      const before = journal.files.find(({ path }) => path === to.moved_from)?.before ?? null;
      const both = await Promise.all([to.path, to.moved_from].map((path) => find(path).catch(() => null)));
      isLast ||= !isElsewhere({ before }, both.map((each) => each?.text ?? '').join('\n'));
    }
    for (const file of files) {
      const { path, before, after, text } = file;
      const present = await find(path);
      if (present?.text === before) continue;
      if (present === null && (before === null || after !== null)) {
        isLast ||= !isElsewhere(file, '');
        continue;
      }
      const place = await locate(path);
      home.check();
      if ((present?.hash ?? null) !== after) {
        // What somebody wrote since then is theirs; only what was written here is taken out of it.
        const merged =
          before !== null && typeof text === 'string' && present
            ? mergeTexts(text, present.text, before)
            : null;
        // What is missing in another note was not deleted by anybody.
        const undone = merged !== null && file.isOther && !isElsewhere(file, merged) ? null : merged;
        if (undone === null) remaining.push(path);
        else if (undone !== present?.text) await durableWrite(place, undone, { beforeReplace: home.check });
        if (undone === null || text === before) isLast ||= !isElsewhere(file, present?.text ?? '');
      } else if (before === null) await rm(place, { force: true });
      else {
        home.inside(dirname(place), makeSharedFolder);
        await durableWrite(place, before, { beforeReplace: home.check });
      }
      onWritten(path);
    }
    if (records.size(recordName) > journal.record_length) {
      await records.cut(recordName, journal.record_length);
    }
    // What was taken away, or moved back, is so on disk before nothing tells of it any more.
    const places = await Promise.all(reachable.map(({ path }) => locate(path)));
    await syncFoldersOf(places);
    await sayLeft(records, remaining);
    if (isLast) await journalFile.setAside();
    else await journalFile.end();
  }

  /**
   * A folder may have its name by now, no note may have that place, or a file may be where its folder was: what can't be
   * undone there is said.
   */
  async function isReachable({ path, before }: Undone): Promise<boolean> {
    try {
      const place = await locate(path);
      const present = await find(path);
      return present !== null || before === null || isFree(place);
    } catch (error) {
      const { code } = toFailure(error);
      if (code === 'path_outside_vault' || code === 'validation' || code === 'too_large') return false;
      throw error;
    }
  }

  return undo;
}
