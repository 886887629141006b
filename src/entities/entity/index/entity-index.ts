import { join } from 'node:path';
import { readFileInsideSync, readStartAtSync } from '../../../files';
import { createWordIndex, type WordIndex } from '../../search/word-index';
import { type OwnRecord, textOf } from '../../store/records/own-records';
import type { Tree } from '../../store/tree/tree';
import type { VaultFile } from '../../store/tree/vault-file';
import { isNote } from '../../store/workspaces';
import { createVersions, type Versions } from '../handed-out/versions';
import { type Entity, type EntityType, numberOf, parseId } from '../model/model';
import { lastGiven, numbersBy } from '../model/numbers';
import { type ChangedAt, createChangedAt } from '../note/changed-at';
import { createHeads } from '../note/heads';
import { nameOf } from '../note/read';
import { type Note, type NoteHead, readNote } from '../note/read-note';
import { type Id, idInName, idsTaken, mayHoldText } from '../note/taken';
import { byClaim, createEntities, type Entities } from './entities';
import { searchable } from './searchable';
import { createStaleNotes } from './stale-notes';
import { createUnseenFiles } from './unseen';

export interface EntityIndex {
  /** Catches up with the disk first. */
  entities(looking?: 'events' | 'folders'): Promise<Entities>;
  /** As they were last caught up with: inside a change, which has caught up with the folders already. */
  present(): Promise<Entities>;
  readonly search: WordIndex['search'];
  /** Does what the first search would otherwise wait for. */
  prepareSearch(): Promise<void>;
  head(file: VaultFile): Promise<NoteHead>;
  /** The id of the entity that a note was when it was last read. */
  idAt(path: string): string | null;
  readonly versions: Versions;
  readonly changedAt: ChangedAt;
}

const headBytes = 8192;
/** As large as a note that can be read at all. */
const largestNote = 20 * 1024 * 1024;
/** Of very long notes only the beginning is searched. */
const mostSearched = 1024 * 1024;
const breathe = 20;
const turn = () => new Promise((resolve) => setImmediate(resolve));

/** In `.interlinear/`: which notes were seen, and when they were changed. */
export const changeTimes = 'vault-seen.txt';

/**
 * Reads every note once, and again when it changes. Longer than most: notes, ids, words and the highest numbers change
 * together, note by note.
 */
export function createEntityIndex(parts: {
  readonly root: string;
  readonly tree: Tree;
  readonly readChangeTimes: () => Promise<OwnRecord>;
  readonly now: () => Date;
}): EntityIndex {
  const { root, tree, readChangeTimes } = parts;
  const notes = new Map<string, Note>();
  const headOfFile = createHeads(root, headBytes);
  const byId = new Map<string, Entity[]>();
  const words = createWordIndex();
  const versions = createVersions();
  const changedAt = createChangedAt(parts.now);
  const highest: Record<EntityType, number> = { ...numbersBy(() => 0) };
  let view: Entities | null = null;
  const stale = createStaleNotes({
    tree,
    load: async () => changedAt.load(textOf(await readChangeTimes())),
    take,
    isKnown: (path) => notes.has(path),
  });
  const unseen = createUnseenFiles({ startOf: startSync, count });

  tree.onChange((path) => {
    if (isNote(path) || mayHoldText(nameWithEnd(path))) stale.add(path);
    else count(idInName(path));
  });

  /** False for a file that holds less than it did a moment ago: somebody is saving it. */
  function take(path: string): boolean {
    const file = tree.get(path);
    count(idInName(path));
    const isWhole = file !== undefined && isNote(path) && file.size <= largestNote;
    const bytes = file && (isWhole ? bytesOf(path) : startSync(join(root, ...path.split('/'))));
    if (isWhole && bytes && bytes.length < file.size) return false;
    const before = notes.get(path)?.entity;
    if (before) drop(before);
    view = null;
    for (const id of bytes ? idsTaken(bytes) : []) count(id);
    // A link is another name for a note, no second one.
    if (!file || !bytes || !isNote(path) || file.isLink) {
      notes.delete(path);
      return true;
    }
    const note = readNote({ ...file, bytes, isWhole }, changedAt);
    const { entity } = note;
    if (entity) count({ type: entity.type, number: numberOf(entity) });
    const { body, ...withoutBody } = note;
    notes.set(path, withoutBody);
    if (!entity) return true;
    if (before?.id === entity.id && before.revision !== entity.revision) versions.keep(before);
    const others = byId.get(entity.id) ?? [];
    byId.set(entity.id, [...others, entity].sort(byClaim));
    words.put(entity.id, entity.title, searchable(entity, body.slice(0, mostSearched)));
    return true;
  }

  function count(id: Id | null): void {
    if (id && id.number <= lastGiven && id.number > highest[id.type]) highest[id.type] = id.number;
  }

  function drop(entity: Entity): void {
    const remaining = (byId.get(entity.id) ?? []).filter((each) => each !== entity);
    if (remaining.length > 0) byId.set(entity.id, remaining);
    else {
      byId.delete(entity.id);
      words.remove(entity.id);
    }
  }

  function bytesOf(path: string): Buffer | null {
    try {
      return readFileInsideSync(root, path, largestNote);
    } catch {
      return null;
    }
  }

  function startSync(place: string | Buffer): Buffer | null {
    try {
      return readStartAtSync(place, headBytes);
    } catch {
      return null;
    }
  }

  /** Of what is no entity: what may become one again with the id that it bears. */
  function* idsBorne(): Iterable<Id | null> {
    for (const { path } of tree.files()) {
      const note = notes.get(path);
      if (note?.entity) continue;
      yield idInName(path);
      if (note?.trouble && note.trouble.kind !== 'no-id') yield parseId(note.trouble.id ?? '');
    }
    for (const { path, id } of unseen.list()) {
      yield idInName(path);
      yield parseId(id ?? '');
    }
  }

  /** Lower case; folders, too. */
  function* places(): Iterable<string> {
    for (const { path } of [...tree.files(), ...unseen.list()]) {
      for (let at = path.length; at > 0; at = path.lastIndexOf('/', at - 1))
        yield path.slice(0, at).toLowerCase();
    }
  }

  async function present(): Promise<Entities> {
    await stale.catchUp();
    if (unseen.look(tree.leftOut())) view = null;
    view ??= createEntities({
      byId,
      notes,
      highest,
      changedAt,
      borne: idsBorne,
      places,
      leftOut: unseen.list,
    });
    return view;
  }

  return {
    present,
    versions,
    changedAt,
    entities: async (looking) => {
      await tree.refresh(looking);
      return present();
    },
    search: words.search,
    prepareSearch: async () => {
      while (!words.catchUp(breathe)) await turn();
    },
    idAt: (path) => notes.get(path)?.entity?.id ?? null,
    head: async (file) => {
      const note = stale.has(file.path) ? undefined : notes.get(file.path);
      if (note) return note;
      return isNote(file.path) ? headOfFile(file) : { title: nameOf(file.path), type: null };
    },
  };
}

const nameWithEnd = (path: string) => path.slice(path.lastIndexOf('/') + 1);
