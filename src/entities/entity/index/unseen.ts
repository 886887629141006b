import { type LeftOut, stampOf } from '../../store/tree/left-out';
import { isNote } from '../../store/workspaces';
import { printedId } from '../model/model';
import { type Id, idInName, idsTaken, mayHoldText } from '../note/taken';

/** A file or folder that the vault leaves out. */
export interface Unseen extends LeftOut {
  /** What a note says it is, or is called. */
  readonly id: string | null;
}

/** The files and folders that a vault leaves out, and the ids in them; each file is looked at again when it changes. */
export interface UnseenFiles {
  /** Whether they are others than before, or have other ids. */
  look(leftOut: readonly LeftOut[]): boolean;
  list(): readonly Unseen[];
}

export function createUnseenFiles(parts: {
  /** The beginning of a file; null for what can't be read. */
  readonly startOf: (place: Buffer) => Buffer | null;
  /** Each id that somebody may have. */
  readonly count: (id: Id | null) => void;
}): UnseenFiles {
  const { startOf, count } = parts;
  let unseen: readonly Unseen[] = [];
  let lookedAt: readonly LeftOut[] = [];
  let idsByPlace = new Map<string, { readonly stamp: string; readonly ids: readonly Id[] }>();

  function look(leftOut: readonly LeftOut[]): boolean {
    if (lookedAt === leftOut) return false;
    lookedAt = leftOut;
    const now: typeof idsByPlace = new Map();
    const before = unseen;
    const all = lookedAt.map((each) => {
      if (each.kind !== 'file') return { ...each, id: null };
      const nameId = idInName(each.path);
      count(nameId);
      if (!mayHoldText(nameOf(each.path))) return { ...each, id: null };
      const key = each.place.toString('latin1');
      const stamp = stampOf(each.place);
      const entry = idsByPlace.get(key);
      const ids = entry?.stamp === stamp ? entry.ids : idsTaken(startOf(each.place) ?? Buffer.of());
      now.set(key, { stamp, ids });
      for (const id of ids) count(id);
      const id = ids[0] ?? nameId;
      return { ...each, id: id && isNote(each.path) ? printedId(id) : null };
    });
    idsByPlace = now;
    unseen = all.filter(({ isStored }) => !isStored);
    const isSame =
      before.length === unseen.length &&
      unseen.every((each, at) => each.path === before[at]?.path && each.id === before[at].id);
    return !isSame;
  }

  return { look, list: () => unseen };
}

const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1);
