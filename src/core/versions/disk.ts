import { isAppError } from '../../contract/errors';
import type { VaultEntry } from '../../contract/vault';
import type { VersionAuthor } from '../../contract/versions';
import { type Clock, createOneAtATime, type Log } from '../foundation';
import type { DiskChange, Vault } from '../vault';
import { isUnder, type NoteList, type NoteRecord, newestText } from './note-list';
import { longestText } from './objects';
import { type KeepQueue, movedRecord } from './queue';
import type { Seen } from './records';
import { asObject, type NewRecord, newId, type VersionStore } from './store';

/** A vault whose notes are kept. */
export interface KeptVault {
  readonly root: string;
  /** Which folder it is. */
  readonly id: string;
  readonly store: VersionStore;
  readonly queue: KeepQueue;
}

/** Milliseconds without another change, after which files are read. */
const settleMs = 400;
/** After a vault was opened: until then there is more urgent work. */
const sweepAfterMs = 2_500;
const readAtOnce = 8;
const readTogether = 500;
const isNote = (path: string) => /\.(md|markdown)$/i.test(path);

interface Look {
  readonly by: readonly VersionAuthor[];
  readonly at: number;
  /** It was just made. */
  readonly isNew?: boolean;
}

/** What a look at the disk found. */
interface Found {
  readonly path: string;
  readonly text: string;
  readonly object: string;
  readonly seen: Seen;
}

/**
 * Keeps notes that are not open: how they were before somebody else changes, moves or removes them. So that this is known, each
 * note is read once, and again when its size or time is another one.
 */
export function createDiskKeeper({
  vault,
  clock,
  log,
  current,
  isOpen,
  authorsOf,
  largest,
}: {
  vault: Vault;
  clock: Clock;
  log: Log;
  /** Null: nothing is kept now. */
  current: () => KeptVault | null;
  isOpen: (path: string) => boolean;
  /** Whose change it is that is seen now. */
  authorsOf: (path: string) => VersionAuthor[];
  /** Bytes of notes that are read to begin with. */
  largest: () => number;
}) {
  const inOrder = createOneAtATime();
  let waiting = new Map<string, Look>();
  let cancelLook: (() => void) | null = null;
  let cancelSweep: (() => void) | null = null;
  /** Since then a note that is not known is a new one. */
  let sweptOnce = false;
  let swept: { readonly id: string; readonly done: Promise<void> } | null = null;

  function onDiskChange({ changed, removed }: DiskChange): void {
    if (!current()) return;
    for (const path of [...changed, ...removed]) {
      const by = authorsOf(path);
      const known = waiting.get(path);
      // Who is known is better than “another program”.
      if (isNote(path) && (!known || by[0]?.kind !== 'disk')) waiting.set(path, { by, at: clock.now() });
    }
    if (waiting.size === 0) return;
    cancelLook?.();
    cancelLook = clock.after(settleMs, () => void lookNow());
  }

  function lookNow(): Promise<void> {
    cancelLook?.();
    cancelLook = null;
    const looks = waiting;
    waiting = new Map();
    return inOrder('disk', () => look(looks));
  }

  /** Reads what stands there, and says what became of what was known. */
  async function look(looks: ReadonlyMap<string, Look>): Promise<void> {
    const kept = current();
    if (!kept || looks.size === 0 || vault.state.get().kind !== 'open') return;
    try {
      const list = await kept.store.list();
      const [found, missing] = await readAll([...looks.keys()], list);
      if (current()?.id !== kept.id) return;
      const gone = missing.flatMap((path) => list.at(path) ?? []);
      const moved = await matchMoves(found, gone, list, kept.store);
      for (const [record, { path }] of moved) {
        const move = movedRecord(record, path, lookOf(path).at, lookOf(path).by);
        kept.queue.add(() => [move]);
      }
      for (const { path, text, seen } of found) {
        const { by, at, isNew = sweptOnce } = lookOf(path);
        const isFirst = list.at(path) === undefined && ![...moved.values()].some((to) => to.path === path);
        const cause = isFirst ? (isNew ? 'created' : 'found') : 'changed';
        kept.queue.keep({ path, text: () => text, by, cause, at, seen });
      }
      for (const record of gone) {
        if (moved.has(record)) continue;
        const { note, path } = record;
        const { by, at } = lookOf(path);
        kept.queue.add((now) => goneRecords(now, { note, path }, at, by));
      }
    } catch (error) {
      log.warn('notes not looked at for their versions', { error });
    }

    function lookOf(path: string): Look {
      return looks.get(path) ?? { by: [{ kind: 'disk' }], at: clock.now() };
    }
  }

  async function readAll(paths: readonly string[], list: NoteList): Promise<[Found[], string[]]> {
    const found: Found[] = [];
    const missing: string[] = [];
    const rest = [...paths];
    const readOne = async (path: string) => {
      // The session keeps it, and knows more.
      if (isOpen(path) && list.at(path)) return;
      try {
        const entry = entryOf(path);
        if (entry && entry.size > longestText) return;
        const { text } = await vault.read(path);
        const { object, text: bytes } = await asObject(text);
        const modified = entryOf(path)?.modified ?? 0;
        found.push({ path, text, object, seen: { bytes: bytes.byteLength, modified } });
      } catch (error) {
        if (isAppError(error, 'vault.not-found')) missing.push(path);
      }
    };
    await Promise.all(
      Array.from({ length: readAtOnce }, async () => {
        for (let path = rest.shift(); path !== undefined; path = rest.shift()) await readOne(path);
      }),
    );
    return [found, missing];
  }

  let entries: { readonly of: readonly VaultEntry[]; readonly byPath: Map<string, VaultEntry> } | null = null;

  function entryOf(path: string): VaultEntry | undefined {
    const all = vault.entries();
    if (entries?.of !== all) entries = { of: all, byPath: new Map(all.map((entry) => [entry.path, entry])) };
    return entries.byPath.get(path);
  }

  /** All notes that are not as they were kept, a part after the other: what is seen meanwhile comes in between. */
  async function sweepNow(): Promise<void> {
    const kept = current();
    if (!kept || vault.state.get().kind !== 'open') return;
    const list = await kept.store.list();
    const own: Look = { by: [{ kind: 'disk' }], at: clock.now() };
    const paths = notAsKept(list);
    for (let at = 0; at < paths.length && current()?.id === kept.id; at += readTogether) {
      const part = paths.slice(at, at + readTogether);
      await inOrder('disk', () => look(new Map(part.map((path) => [path, own]))));
      // Texts wait for the disk, not in memory.
      await kept.queue.settled();
    }
    sweptOnce = true;
  }

  /** First those that are gone and those that are new: the one may be the other. */
  function notAsKept(list: NoteList): string[] {
    const notes = vault.entries().filter(({ kind, path }) => kind === 'note' && isNote(path));
    const there = new Set(notes.map(({ path }) => path));
    const live = [...list.all()].filter(({ isGone }) => !isGone);
    const gone = live.filter(({ path }) => !there.has(path)).map(({ path }) => path);
    const fresh: string[] = [];
    const changed: string[] = [];
    let room = largest();
    for (const { path, size, modified } of [...notes].sort((a, b) => b.modified - a.modified)) {
      const known = list.at(path);
      if (known?.seen?.bytes === size && known.seen.modified === modified) continue;
      room -= size;
      if (room > 0) (known ? changed : fresh).push(path);
    }
    return [...gone, ...fresh, ...changed];
  }

  function sweep(): Promise<void> {
    cancelSweep?.();
    cancelSweep = null;
    const kept = current();
    if (!kept) return Promise.resolve();
    if (swept?.id !== kept.id) {
      swept = { id: kept.id, done: sweepNow().catch(failed) };
    }
    return swept.done;
  }

  const failed = (error: unknown) => log.warn('notes not read for their versions', { error });

  return {
    onDiskChange,
    /** The app itself wrote this file, and it is not open. */
    async written(path: string, by: readonly VersionAuthor[], isNew: boolean): Promise<void> {
      if (!isNote(path)) return;
      const wish = { by, at: clock.now(), ...(isNew && { isNew }) };
      await inOrder('disk', () => look(new Map([[path, wish]])));
    },
    opened(): void {
      cancelSweep?.();
      swept = null;
      sweptOnce = false;
      cancelSweep = clock.after(sweepAfterMs, () => void sweep());
    },
    /** Every note is known as it is now, as far as there is room for it. */
    sweep,
    /** What is at or below the path is kept as it is. */
    async keepUnder(folder: string): Promise<void> {
      const list = await current()?.store.list();
      if (!list) return;
      const own: Look = { by: [{ kind: 'disk' }], at: clock.now() };
      const gone = new Set(list.under(folder).map(({ path }) => path));
      const looks = new Map<string, Look>();
      for (const { path, kind, size, modified } of vault.entries()) {
        if (kind !== 'note' || !isUnder(path, folder) || !isNote(path)) continue;
        gone.delete(path);
        const seen = list.at(path)?.seen;
        if (seen?.bytes !== size || seen.modified !== modified) looks.set(path, own);
      }
      for (const path of gone) looks.set(path, own);
      await inOrder('disk', () => look(looks));
    },
    /** Nothing that was seen waits to be looked at. */
    async settled(): Promise<void> {
      if (waiting.size > 0) await lookNow();
      await inOrder('disk', async () => undefined);
    },
    close(): void {
      cancelLook?.();
      cancelSweep?.();
      waiting = new Map();
    },
  };
}

export function goneRecords(
  list: NoteList,
  { note, path }: Pick<NoteRecord, 'note' | 'path'>,
  at: number,
  by: readonly VersionAuthor[],
  how: 'trashed' | 'deleted' = 'deleted',
): NewRecord[] {
  const now = list.byId(note);
  if (!now || now.isGone || now.path !== path) return [];
  return [{ kind: 'gone', note, id: newId(), at, path, by: [...by], how }];
}

/** Where notes that are not at their place any more are now: of the same text, or of the same id in their front matter. */
async function matchMoves(
  found: readonly Found[],
  gone: readonly NoteRecord[],
  list: NoteList,
  store: VersionStore,
): Promise<Map<NoteRecord, Found>> {
  const moves = new Map<NoteRecord, Found>();
  const fresh = found.filter(({ path }) => list.at(path) === undefined);
  for (const record of gone) {
    const last = newestText(record);
    const free = fresh.filter((one) => ![...moves.values()].includes(one));
    if (!last || free.length === 0) continue;
    const same = free.find(({ object }) => object === last.object);
    const id = same ? null : entityId((await store.text(last.object))?.toString('utf8') ?? '');
    const to = same ?? (id === null ? undefined : free.find(({ text }) => entityId(text) === id));
    if (to) moves.set(record, to);
  }
  return moves;
}

function entityId(text: string): string | null {
  return text.startsWith('---') ? (/^id:[ \t]*(\S+)/m.exec(text.slice(0, 2_048))?.[1] ?? null) : null;
}
