import { lstatSync, realpathSync, renameSync, rmSync, statSync } from 'node:fs';
import { readlink, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { durableWrite, makeSharedFolder, type RootFolder, syncFolder, whileOthersWait } from '../../files';
import { readFrontMatter } from '../../markdown';
import { ToolFailure, toFailure } from '../base/failures';
import { mergeTexts } from '../base/merge-text';
import { diffSinceRead, type Shown } from '../base/refusal-words';
import type { Document } from './document';
import type { Change, Draft } from './draft';
import { hashOf } from './hash';
import { type Journal, journalName, largestJournal, parseJournal, printJournal } from './journal';
import type { Move } from './links';
import { ownPath, type Records } from './own-records';

export const recordName = 'vault-batches.jsonl';
export const leftName = 'vault-undone.txt';

type Undone = Journal['files'][number] & {
  /** What is at its place may be another note than the one that was to be moved away from there. */
  readonly isOther?: boolean;
};

/** Where a change is written to, and what was there when it was checked. */
interface Target {
  readonly change: Change;
  readonly place: string;
  readonly mark: string;
}

export interface Commit {
  /** Writes what was drafted; after an error or a crash nothing of it stays. The caller holds the vault's lock. */
  apply(draft: Draft): Promise<void>;
  isPending(): boolean;
  recover(): Promise<void>;
  /** A journal that can't be used, where there is one. The caller holds the vault's lock. */
  setAside(): Promise<void>;
}

export function createCommit(parts: {
  readonly home: RootFolder;
  readonly records: Records;
  readonly locate: (path: string) => Promise<string>;
  readonly find: (path: string) => Promise<Document | null>;
  /** In the same tick as a file came to be another one, or went. */
  readonly onWritten: (path: string) => void;
}): Commit {
  const { home, records, locate, find, onWritten } = parts;
  /** An app that saved here before there was a lock of the vault knows only this. */
  const inTurn = (work: () => void) => whileOthersWait(home.path, work);

  async function apply(draft: Draft): Promise<void> {
    const drafted = draft.changes();
    const froms = sourcesOf(drafted, draft.moves());
    const gone = new Set(froms.values());
    // New texts before removals: what one note hands on to another is never nowhere.
    const changes = [...drafted].sort((a, b) => Number(a.after === null) - Number(b.after === null));
    const lines = draft.recorded();
    if (changes.length === 0 && lines.length === 0) return;
    // All that may have to be waited for comes before the first byte is written.
    const targets = new Map<string, Target>();
    for (const change of changes) {
      const place = await locate(change.path);
      targets.set(change.path, { change, place, mark: change.before ? markOf(place) : '' });
      await unchanged(change);
    }
    const written = new Set<string>();
    const writeAll = async () => {
      for (const target of targets.values()) if (target.change.before) checkMark(target);
      for (const [path, target] of targets) {
        if (!gone.has(path)) await write(target, targets.get(froms.get(path) ?? ''), written);
      }
      const removed = [...targets.values()].filter(({ change }) => change.after === null);
      await syncFoldersOf(removed.map(({ place }) => place));
      await record(lines);
    };
    if (changes.length + lines.length === 1) return writeAll();
    const journal = await begin(changes, froms);
    try {
      await writeAll();
    } catch (error) {
      await undo({ ...journal, files: journal.files.filter(({ path }) => written.has(path)) });
      throw error;
    }
    await end();
  }

  /** Emptied and not removed: that is durable on every system. */
  const end = () => records.replace(journalName, '', { private: true });

  async function begin(changes: readonly Change[], froms: ReadonlyMap<string, string>): Promise<Journal> {
    const journal: Journal = {
      record_length: records.size(recordName),
      files: changes.map(({ path, before, after }) => ({
        path,
        before: before?.text ?? null,
        after: after === null ? null : hashOf(after),
        text: after,
        moved_from: froms.get(path),
      })),
    };
    const text = printJournal(journal);
    if (Buffer.byteLength(text) > largestJournal)
      throw new ToolFailure('too_large', 'The notes of this change are too large together.', {
        hint: 'Change fewer of them at once.',
      });
    await records.replace(journalName, text, { private: true });
    return journal;
  }

  /** Another program may have written while the change was made. */
  async function unchanged({ path, before }: Change): Promise<void> {
    if ((await find(path))?.hash !== before?.hash) throw new ChangedMeanwhile(path, before?.text);
  }

  /** `from`: goes in the same tick as the new place comes, so that nobody meets the note at both. */
  async function write(target: Target, from: Target | undefined, written: Set<string>): Promise<void> {
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
    if (!before) makeFolderOf(place, path);
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
      const made = before ? { beforeReplace } : { exclusive: true, mode, beforeReplace };
      await durableWrite(place, after, { onReplaced, replacing: inTurn, ...made });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw await whatIsThere(path, place);
      throw error;
    }
    if (failures.length > 0) throw failures[0];
  }

  function makeFolderOf(place: string, path: string): void {
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

  async function record(lines: readonly string[]): Promise<void> {
    if (lines.length === 0) return;
    await records.append(recordName, lines.map((line) => `\n${line}`).join(''), { durably: true });
  }

  async function recover(): Promise<void> {
    if (!isPending()) return;
    const journal = await readJournal();
    if (journal) return undo(journal);
    // Nothing of it is undone: a note may be the only copy of what was lost in the journal.
    await setJournalAside();
  }

  async function setAside(): Promise<void> {
    const obstacles = await records.obstacles([journalName], []);
    if (obstacles.some(({ path, aside }) => path === ownPath(journalName) && aside !== null))
      await setJournalAside();
  }

  /** Said first: whoever dies in between leaves the journal, and the next one says the same. */
  async function setJournalAside(): Promise<void> {
    // What took the place of one leaves nobody to tell whether it was needed.
    if (records.isTaken(journalName)) await sayLeft([ownPath(await records.asideName(journalName))]);
    await records.setAside(journalName);
  }

  async function undo(journal: Journal): Promise<void> {
    const left: string[] = [];
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
      left.push(file.path);
      isLast ||= !isElsewhere(file, '');
    }
    for (const to of reachable) {
      if (!staying.has(to.path) || to.moved_from === undefined) continue;
      left.push(to.path, to.moved_from);
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
        if (undone === null) left.push(path);
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
    await sayLeft(left);
    if (isLast) await setJournalAside();
    else await end();
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

  /**
   * What was moved goes back as it is, with what somebody wrote into it meanwhile; what is left to undo of it is a
   * change of its text. Where its old place is taken or can't be reached it stays: nothing else has its text.
   */
  async function movedBack(
    reachable: readonly Undone[],
    unreachable: readonly Undone[],
  ): Promise<{ files: readonly Undone[]; staying: ReadonlySet<string> }> {
    const undone = new Map(reachable.map((file) => [file.path, file]));
    const lost = new Set(unreachable.map(({ path }) => path));
    const staying = new Set<string>();
    for (const to of reachable) {
      const old = to.moved_from ?? '';
      const from = undone.get(old);
      if (!from && !lost.has(old)) continue;
      const moved = await find(to.path);
      if (moved && !(from && (await goesBack(to, from)))) {
        staying.add(to.path).add(old);
        undone.delete(to.path);
        undone.delete(old);
      } else if (from && (moved || (await find(old)))) {
        undone.delete(to.path);
        undone.set(old, { ...from, after: to.after, text: to.text, isOther: !moved });
      }
    }
    return { files: [...undone.values()], staying };
  }

  /** False where somebody made something at the old place, or at the new one: it is theirs. */
  async function goesBack(to: Undone, from: Undone): Promise<boolean> {
    const [place, old] = [await locate(to.path), await locate(from.path)];
    const mark = markOf(old);
    const present = await find(from.path);
    if (present ? present.text !== from.before : !isFree(old)) return false;
    if (lstatSync(place, { throwIfNoEntry: false })?.isSymbolicLink() || markOf(old) !== mark) return false;
    if (present) {
      // Whole where it was: of the other only what was written here goes.
      const isSame = realpathSync(place) === realpathSync(old);
      if (isSame || (await find(to.path))?.hash !== to.after) return false;
      rmSync(place, { force: true });
      onWritten(to.path);
      return true;
    }
    home.inside(dirname(old), makeSharedFolder);
    renameSync(place, old);
    onWritten(to.path);
    onWritten(from.path);
    return true;
  }

  /** Where a part of what was undone may be left, or the journal with what could not be: nobody but a person can tell. */
  async function sayLeft(paths: readonly string[]): Promise<void> {
    if (paths.length === 0) return;
    const { kind } = await records.read(leftName);
    if (kind === 'unusable') await records.setAside(leftName);
    await records.append(leftName, paths.map((path) => `${path}\n`).join(''), { durably: true });
  }

  function isPending(): boolean {
    return records.size(journalName) > 0;
  }

  /** Null for one that nobody wrote here, or not to its end. */
  async function readJournal(): Promise<Journal | null> {
    if (records.size(journalName) > largestJournal) return null;
    const record = await records.read(journalName, largestJournal);
    if (record.kind === 'unusable') throw record.refusal;
    return record.kind === 'whole' ? parseJournal(record.text) : null;
  }

  return { apply, recover, setAside, isPending };
}

/** Whether a note can be made there. */
function isFree(place: string): boolean {
  if (isThere(place)) return false;
  let folder = dirname(place);
  while (!isThere(folder) && dirname(folder) !== folder) folder = dirname(folder);
  return statSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** Also as a link that leads nowhere; what is below a file is not. */
function isThere(place: string): boolean {
  try {
    return lstatSync(place, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return false;
    throw error;
  }
}

/**
 * Whether what a note held before is, line by line, in what is there now, so that the journal is not its only copy. A field of
 * one word, as a status or a date, is no text.
 */
function isElsewhere({ before }: Pick<Undone, 'before'>, present: string): boolean {
  if (before === null) return true;
  const there = new Set(linesOf(present));
  const body = readFrontMatter(before)?.to ?? 0;
  const fields = linesOf(before.slice(0, body)).filter((line) => !/^[\w-]+:\s*\S*$/.test(line));
  return [...fields, ...linesOf(before.slice(body))].every((line) => there.has(line));
}

const linesOf = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);

async function syncFoldersOf(places: readonly string[]): Promise<void> {
  for (const folder of new Set(places.map(dirname))) await syncFolder(folder);
}

/** For each new place the one that goes for it. */
function sourcesOf(changes: readonly Change[], moves: readonly Move[]): ReadonlyMap<string, string> {
  const made = new Set(
    changes.filter(({ before, after }) => !before && after !== null).map(({ path }) => path),
  );
  const sources = new Map<string, string>();
  for (const { path, after } of changes) {
    if (after !== null) continue;
    const to = moves.reduce((at, move) => (move.from === at ? move.to : at), path);
    if (made.has(to)) sources.set(to, path);
  }
  return sources;
}

function checkMark({ change, place, mark }: Target): void {
  if (markOf(place) !== mark) throw new ChangedMeanwhile(change.path, change.before?.text);
}

function markOf(place: string): string {
  const found = statSync(place, { throwIfNoEntry: false });
  return found ? `${found.size} ${found.mtimeMs} ${found.ino}` : '';
}

/** Something has the name of a note that was not found: a link to nothing, or what another program made just now. */
async function whatIsThere(path: string, place: string): Promise<ToolFailure> {
  const to = await readlink(place).catch(() => null);
  if (to === null) return new ChangedMeanwhile(path);
  return new ToolFailure('conflict', `“${path}” is a symbolic link that leads nowhere: ${to}`, {
    hint: 'Nothing was written. Delete the link, or take another path.',
  });
}

/** Between reading and writing; who begins anew sees what it is now. */
export class ChangedMeanwhile extends ToolFailure {
  readonly path: string;
  /** Its text as it was read. */
  readonly #read: string | undefined;

  constructor(path: string, read?: string, difference?: Shown) {
    const all = difference?.hidden
      ? `, all of it: ${difference.hidden} characters of the difference are not shown,`
      : '';
    super('conflict', `“${path}” was changed by another program just now.`, {
      hint: `Read it again${all} and repeat the change.`,
      ...(difference && { difference: difference.text }),
    });
    this.path = path;
    this.#read = read;
  }

  /** For who does not begin anew; `now`: its text by now. */
  withDifference(now: string | undefined): ChangedMeanwhile {
    if (this.#read === undefined || now === undefined) return this;
    return new ChangedMeanwhile(this.path, this.#read, diffSinceRead(this.path, this.#read, now));
  }
}
