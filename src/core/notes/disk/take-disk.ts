import { isOlderFile } from '../../../files';
import type { Vault } from '../../vault';
import type { Session } from '../session/session';
import type { Base } from '../text/base';
import { canFollow, resembles } from '../text/diff';
import type { ForeignWriter } from './foreign-writer';
import { createDiskJoiner, type DiskJoiner } from './join-disk';
import { type DiskText, readDisk } from './read-disk';

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
  takeLate: DiskJoiner['takeLate'];
  /** Before the session's text replaces `base` on disk: another program may have read the note as it was until now. */
  remember: DiskJoiner['remember'];
}

/** One closure, since whose the file is may only be known after the note went elsewhere, and then it is read anew. */
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
  const joiner = createDiskJoiner(session, now);

  /** Null: it is this note. */
  async function whoseIsIt({ file }: DiskText, doc: Base['doc']): Promise<'moved' | 'another' | null> {
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
    const disk = await readDisk({ session, vault, writer, now });
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
    if (session.isDirty() && isCut) joiner.keepOurs(next);
    else joiner.mergeIn(next, isOtherFile);
    return accepted;
  }

  return { take, takeLate: joiner.takeLate, remember: joiner.remember };
}
