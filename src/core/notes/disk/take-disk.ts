import { ChangeSet } from '@codemirror/state';
import { isAppError } from '../../../contract/errors';
import { diskHand } from '../../../contract/notes';
import { isOlderFile } from '../../../files';
import { decodeNote, type Vault } from '../../vault';
import type { Session } from '../session/session';
import type { Base } from '../text/base';
import { canFollow, diff, resembles, sizeOf } from '../text/diff';
import { type LineEnds, printLines, readLines } from '../text/line-ends';
import { conflictTitle, merge } from '../text/merge';
import { type ForeignWriter, looksCut } from './foreign-writer';
import { readChanged } from './read-changed';

/** `waiting`: another program is still writing; to be called again after so many milliseconds. `over`: the session ended. */
export type TakeResult =
  | { readonly kind: 'taken' }
  | { readonly kind: 'waiting'; readonly ms: number }
  | { readonly kind: 'over' };

/**
 * Another program may have moved the note: whether the session is at its new path now. A path: it is there, in a session of
 * its own.
 */
export type FollowMoved = () => Promise<boolean | { readonly elsewhere: string }>;

const accepted: TakeResult = { kind: 'taken' };

/** Brings what another program wrote into the session. */
export interface DiskTaker {
  /** `isSame`: it is known to be this note. Throws what reading throws. */
  take(options?: { isSame: boolean }): Promise<TakeResult>;
  /** What another program wrote into a file that was replaced here since. False: it was never this note's. */
  takeLate(file: string, onDisk: string): boolean;
  /** Before the session's text replaces `base` on disk: another program may have read the note as it was until now. */
  remember(base: Base): void;
}

/** How long after a save another program may still write a text that it read before. */
const staleMs = 60_000;
const mostFormer = 150;
/** Of a longer text no more than one former state is compared. */
const longText = 500_000;

interface Read {
  readonly doc: Base['doc'];
  readonly ends: LineEnds;
  readonly isCut: boolean;
  readonly version: string;
  readonly file: string;
  readonly modified: number;
}

async function textLike(bytes: Uint8Array, base: Base) {
  const changed = await readChanged(bytes, base);
  return changed && { ...changed, ends: base.ends };
}

function wholeText(text: string, base: Base) {
  const expected = printLines(base.doc, base.ends);
  const isGrown = expected !== '' && text.startsWith(expected) && !text.includes('\0');
  return { ...readLines(text), isGrown, isCut: looksCut(text, expected) };
}

/** What changes put there beside what they leave, and where it stands after them. */
function insertions(changes: ChangeSet) {
  const all: { readonly from: number; readonly to: number; readonly text: string }[] = [];
  changes.iterChanges((fromBefore, toBefore, from, to, inserted) => {
    const text = inserted.toString();
    if (fromBefore === toBefore && text.trim() !== '') all.push({ from, to, text });
  });
  return all;
}

/** Where lines are alike a comparison may find a longer way; seldom in both directions. */
const distance = (a: Base['doc'], b: Base['doc']): number => Math.min(sizeOf(diff(a, b)), sizeOf(diff(b, a)));

/** Of the shorter of both texts. */
function keepsHalf(changes: ChangeSet): boolean {
  let keptCount = changes.length;
  changes.iterChanges((from, to) => {
    keptCount -= to - from;
  });
  return keptCount * 2 >= Math.min(changes.length, changes.newLength);
}

export function createDiskTaker({
  session,
  vault,
  writer,
  now,
  possible,
  onReplaced,
  followMoved,
}: {
  session: Session;
  vault: Vault;
  writer: ForeignWriter;
  now: () => number;
  /** Saves that may have happened before their app died. */
  possible: readonly Base[];
  /** The note was deleted, and another one has its name now. */
  onReplaced: () => void;
  followMoved: FollowMoved;
}): DiskTaker {
  const former: { readonly base: Base; readonly at: number }[] = [];
  /** Saved words that the text of another program lacked. */
  let putBack: readonly string[] = [];
  /** That both versions of some lines are in the note. */
  let isBothSaid = false;

  /** What is no text yet may be the beginning of one. */
  async function read(): Promise<Read | { readonly ms: number }> {
    const { base } = session;
    try {
      const { bytes, ...file } = await vault.readRaw(session.path);
      if (file.version === base.hash) return { ...file, doc: base.doc, ends: base.ends, isCut: false };
      const text = (await textLike(bytes, base)) ?? wholeText(decodeNote(bytes, session.path), base);
      const disk = { ...file, ...text };
      // What only grew harms nobody who has nothing of his own in it.
      const ms = await writer.untilRest(disk, base.file);
      return ms === 0 || (text.isGrown && !session.isDirty()) ? disk : { ms };
    } catch (error) {
      if (!isAppError(error, 'vault.not-text')) throw error;
      const ms = await writer.untilRest(
        { isCut: true, version: 'no text', file: base.file, modified: now() },
        base.file,
      );
      if (ms === 0) throw error;
      return { ms };
    }
  }

  /** Null: it is this note. */
  async function whoseIsIt({ file }: Read, doc: Base['doc']): Promise<'moved' | 'another' | null> {
    const { base } = session;
    // Another of its names was saved here.
    if (base.file !== null && vault.succeeds(file, base.file)) return null;
    const isAlike = resembles(base.doc, doc);
    // What its place is now is known late where another program moved several at once.
    if (!isAlike || vault.wasElsewhere(file, session.path)) await vault.sweep();
    const moved = await followMoved();
    if (moved === true) return 'moved';
    if (moved !== false) return 'another';
    if (vault.isMovedNote(file, session.path)) return 'another';
    // Where the note itself was deleted a blank one says nothing.
    const isIt = isAlike || (base.hash !== null && canFollow(base.doc, doc));
    const isAnother = !isIt || (base.file !== null && isOlderFile(file, base.file));
    return isAnother && (session.isDirty() || base.hash === null) ? 'another' : null;
  }

  async function take({ isSame } = { isSame: false }): Promise<TakeResult> {
    const { path } = session;
    const disk = await read();
    if (session.life === 'gone') return { kind: 'over' };
    // It was moved together with another one meanwhile: that was read where it stood before.
    if (session.path !== path) return take({ isSame });
    if ('ms' in disk) return { kind: 'waiting', ms: disk.ms };
    const { base } = session;
    writer.taken();
    if (disk.version === base.hash) {
      if (disk.file !== base.file) session.setBase({ ...base, file: disk.file });
      return accepted;
    }
    const match = possible.find(({ hash, version }) => hash === disk.version && version > base.version);
    if (match) {
      session.setBase({ ...match, file: disk.file });
      return accepted;
    }
    const { doc, ends, isCut } = disk;
    const isOtherFile = base.hash === null || (base.file !== null && base.file !== disk.file);
    if (isOtherFile && !isSame) {
      const whose = await whoseIsIt(disk, doc);
      if (whose === 'moved') return take({ isSame: true });
      if (session.path !== path) return take();
      if (whose === 'another') {
        onReplaced();
        return { kind: 'over' };
      }
    }
    const next = { hash: disk.version, file: disk.file, doc, ends };
    if (session.isDirty() && isCut) keepOurs(next);
    else mergeIn(next, isOtherFile);
    return accepted;
  }

  /** Who cut the note short may have failed to write the rest. */
  function keepOurs(disk: Pick<Base, 'hash' | 'file' | 'doc' | 'ends'>): void {
    const { note } = session;
    session.setBase({ ...disk, version: note.version, ahead: diff(disk.doc, note.doc) });
    session.renewJournal();
    session.tell({
      kind: 'conflict',
      what: 'cut-short',
      message: 'Another program cut this note short. Your text is still in it.',
    });
  }

  function mergeIn(disk: Pick<Base, 'hash' | 'file' | 'doc' | 'ends'>, isOtherFile: boolean): void {
    const { from, ours, theirs } = sides(disk.doc, isOtherFile);
    const { doc } = session.note;
    const without = withoutPutBack(ours, disk.doc);
    const own = { text: without.apply(doc), changes: ours.compose(without) };
    const { changes, conflicts } = merge(from, { ours: own.changes, theirs }, own.text, disk.doc);
    const isStale = from !== session.base.doc;
    const hadBoth = isBothSaid && hasBoth();
    session.takeDisk(disk, without.compose(changes));
    putBack = isStale ? insertions(diff(disk.doc, session.note.doc)).map(({ text }) => text) : [];
    former.length = 0;
    isBothSaid = conflicts.both > 0 || (hadBoth && hasBoth());
    if (conflicts.both > 0)
      session.tell({
        kind: 'conflict',
        what: 'both',
        message: 'Another program changed the same lines. Both versions are in the note.',
      });
    else if (conflicts.deleted > 0)
      session.tell({
        kind: 'conflict',
        what: 'deleted',
        message: 'Another program deleted lines that were changed here. They are still in the note.',
      });
    else if (hadBoth && !isBothSaid)
      session.tell({
        kind: 'conflict',
        what: 'replaced',
        message:
          'Another program has replaced lines of which both versions were in the note. See its History.',
      });
  }

  const hasBoth = () => session.note.doc.toString().includes(`[!warning] ${conflictTitle}`);

  /** The other program may be the one that had taken them out for a moment: what it brings back itself is not put back beside that. */
  function withoutPutBack(ours: ChangeSet, doc: Base['doc']): ChangeSet {
    const text = putBack.length > 0 ? doc.toString() : '';
    const twice = insertions(ours).filter(
      (one) => putBack.includes(one.text) && text.includes(one.text.trim()),
    );
    return ChangeSet.of(
      twice.map(({ from, to }) => ({ from, to })),
      ours.newLength,
    );
  }

  /**
   * What both did to the text that the other program had read: the last one, or one that a save here has replaced since. Then
   * theirs undoes that save beside what it writes itself. Another file in its place may be another note, and of a text that
   * has little of the former one nobody knows what was read for it: they are taken as they are.
   */
  function sides(
    doc: Base['doc'],
    isOtherFile: boolean,
  ): { from: Base['doc']; ours: ChangeSet; theirs: ChangeSet } {
    const { base } = session;
    const last = { from: base.doc, theirs: diff(base.doc, doc), ours: session.changesFrom(base) };
    if (isOtherFile) return last;
    let best = { ...last, size: Number.POSITIVE_INFINITY };
    const size = sizeOf(last.theirs);
    const recent = former.filter(({ at }) => now() - at < staleMs).reverse();
    for (const { base: read } of doc.length > longText ? recent.slice(0, 1) : recent) {
      const theirs = diff(read.doc, doc);
      // A text that stood there as it is was brought back on purpose.
      if (theirs.empty || sizeOf(theirs) >= Math.min(best.size, size)) break;
      if (keepsHalf(theirs) && sizeOf(theirs) + 0.9 * distance(read.doc, base.doc) <= size)
        best = { from: read.doc, theirs, ours: session.changesFrom(read), size: sizeOf(theirs) };
    }
    return best.size < size ? best : last;
  }

  return {
    take,
    takeLate(file, onDisk) {
      const base = former.find((one) => one.base.file === file)?.base;
      if (!base || session.life !== 'open') return false;
      const { doc } = readLines(onDisk);
      const sides = { ours: session.changesFrom(base), theirs: diff(base.doc, doc) };
      const { changes } = merge(base.doc, sides, session.note.doc, doc);
      if (!changes.empty) session.write(diskHand, [changes], 'now');
      return true;
    },
    remember(base) {
      former.push({ base, at: now() });
      while (former.length > mostFormer) former.shift();
    },
  };
}
