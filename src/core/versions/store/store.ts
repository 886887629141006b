import { createHash, randomBytes } from 'node:crypto';
import { statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeOwnFolder, type PrintedText, replaceFileSync, whileLocked } from '../../../files';
import { createOneAtATime, type Log } from '../../foundation';
import { createIndexFile } from './index-file';
import { type Entry, type NoteList, newestText } from './note-list';
import { createObjects, nameOf } from './objects';
import type { IndexRecord } from './records';
import { entriesToDrop, type Limits } from './thin';

/**
 * The versions of one vault: texts as objects named by their hash, and an index that only grows, a checked line each. An object
 * is on disk before the line that names it, so whatever the index says can be read. A line that was cut off is left out and
 * counted. Pruning writes a new index in the place of the old one and removes objects after that; where lines were lost, what
 * they may have named stays as long as any version may. All of it happens under a lock that other processes with this data
 * folder take, too.
 */
export interface VersionStore {
  /** As the disk has it, also what another process added. Throws what reading throws. */
  list(): Promise<NoteList>;
  /** Adds what `make` makes of the list as it is then; a text is stored first. On disk when it resolves. */
  add(make: (list: NoteList) => Promise<readonly NewRecord[]>): Promise<void>;
  text(object: string): Promise<Buffer | null>;
  /** Something is kept. */
  isBegun(): boolean;
  /** Drops what is beyond the limits. */
  prune(): Promise<void>;
  /** Drops these, and every text that nothing else needs. */
  forget(which: (list: NoteList) => Iterable<Entry>): Promise<void>;
}

export type NewRecord =
  | Exclude<IndexRecord, { kind: 'text' | 'begun' }>
  | (Omit<Extract<IndexRecord, { kind: 'text' }>, 'size' | 'object' | 'bytes'> & {
      readonly text: Uint8Array<ArrayBuffer>;
      readonly object: string;
    });

export const newId = () => randomBytes(5).toString('hex');

/** Milliseconds. */
const longestWait = 5_000;
const mostAddedLines = 2_000;
const writtenAtOnce = 8;
/** Of the size that is allowed: after so much more it is looked at again. */
const share = 0.02;

/** `id`: which folder the vault is, wherever it is moved. */
export function folderOf(dataFolder: string, id: string): string {
  return join(dataFolder, 'versions', createHash('sha256').update(id).digest('hex').slice(0, 16));
}

/** One closure, since adding, forgetting and thinning are one order under one lock. */
export function createStore({
  folder,
  name,
  log,
  limits,
  now,
  onDamage,
  onSetAside,
}: {
  /** Absolute; made when something is kept first. */
  folder: string;
  /** What is written into the folder of whose it is. */
  name: string;
  log: Log;
  limits: () => Limits;
  now: () => number;
  /** So many lines of the index cannot be read, or are not there. */
  onDamage: (file: string, lines: number) => void;
  /** What stood in the place of a folder or a file of it, and where it is now. */
  onSetAside: (file: string, keptAs: string, kind: 'folder' | 'file') => void;
}): VersionStore {
  const objects = createObjects(join(folder, 'objects'));
  const index = createIndexFile({ folder, objects, log, now, onDamage, onSetAside });
  const inOrder = createOneAtATime();
  let isMade = false;
  /** Since it was last pruned; at first nobody knows. */
  let grown = Infinity;
  let addedLines = 0;

  function makeFolder(): void {
    if (isMade && statSync(folder, { throwIfNoEntry: false })) return;
    for (const own of [dirname(folder), folder, join(folder, 'objects')]) {
      const aside = makeOwnFolder(own);
      if (aside === null) continue;
      log.warn('no folder where versions are', { own, aside });
      onSetAside(own, aside, 'folder');
    }
    replaceFileSync(join(folder, 'vault'), name);
    isMade = true;
  }

  async function store(record: NewRecord): Promise<IndexRecord> {
    if (record.kind !== 'text') return record;
    const { text, ...rest } = record;
    const size = await objects.put(text, record.object);
    grown += size;
    return { ...rest, size, bytes: text.byteLength };
  }

  async function addNow(make: (list: NoteList) => Promise<readonly NewRecord[]>): Promise<void> {
    makeFolder();
    await whileLocked(join(folder, 'lock'), longestWait, async () => {
      await index.begin();
      const state = await index.load();
      const wish = await make(state.list);
      const records: IndexRecord[] = [];
      for (let at = 0; at < wish.length; at += writtenAtOnce)
        records.push(...(await Promise.all(wish.slice(at, at + writtenAtOnce).map(store))));
      if (records.length === 0) return;
      await index.append(state, records);
      addedLines += records.length;
    });
    if (grown > limits().size * share || addedLines > mostAddedLines) await pruneNow();
  }

  async function pruneNow(): Promise<void> {
    grown = 0;
    addedLines = 0;
    await rewrite((list) => entriesToDrop(list.all(), limits(), now()), false);
  }

  async function rewrite(
    which: (list: NoteList) => ReadonlySet<Entry>,
    isForgetting: boolean,
  ): Promise<void> {
    if (!statSync(folder, { throwIfNoEntry: false })) return;
    makeFolder();
    await whileLocked(join(folder, 'lock'), longestWait, async () => {
      await index.begin();
      const { list, endsWhole, lostAt } = await index.load();
      const drop = which(list);
      const entries = list.inOrder().filter((entry) => !drop.has(entry));
      const used = objectsOf(entries);
      const dropped = objectsOf(drop);
      const lost = index.damagedLines() > 0 ? now() : lostAt;
      const isAllForgotten = isForgetting && entries.length === 0;
      const keepsLost = lost !== null && now() - lost <= limits().age && !isAllForgotten;
      const records: IndexRecord[] = [{ kind: 'begun', at: lost ?? now(), isLost: keepsLost }, ...entries];
      for (const record of list.all()) {
        const { note, seen } = record;
        const newest = newestText(record);
        if (seen && newest && !drop.has(newest)) records.push({ kind: 'seen', note, seen });
      }
      if (drop.size > 0 || !endsWhole || index.damagedLines() > 0 || keepsLost !== (lostAt !== null)) {
        await index.replace(records);
      }
      for (const name of (await objects.list()).keys())
        if (!used.has(name) && (dropped.has(name) || !keepsLost)) objects.remove(name);
      log.info('versions pruned', { dropped: drop.size, left: records.length });
    });
  }

  return {
    list: () => inOrder('store', async () => (await index.load()).list),
    add: (make) => inOrder('store', () => addNow(make)),
    text: (object) => objects.get(object),
    isBegun() {
      try {
        return index.isBegun();
      } catch {
        // Whoever reads it will say why it can't be.
        return false;
      }
    },
    prune: () => inOrder('store', pruneNow),
    forget: (which) => inOrder('store', () => rewrite((list) => new Set(which(list)), true)),
  };
}

const objectsOf = (entries: Iterable<Entry>) =>
  new Set([...entries].flatMap((entry) => (entry.kind === 'text' ? [entry.object] : [])));

/** As it is stored. */
export async function asObject(text: string | PrintedText) {
  if (typeof text !== 'string')
    return { text: new Uint8Array(Buffer.concat(text.pieces)), object: text.hash };
  const bytes = new Uint8Array(Buffer.from(text, 'utf8'));
  return { text: bytes, object: await nameOf(bytes) };
}
