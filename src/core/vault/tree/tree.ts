import { isUnder } from '../../../contract/paths';
import type { VaultChange, VaultEntry, VaultMove } from '../../../contract/vault';
import { createLinkTargets } from '../../../markdown';
import { type Clock, createObservable, type Observable } from '../../foundation';
import { findMoves, idOf } from './moves';
import type { Found } from './walk';

/** More than this in one change is told as a new whole. */
const mostListed = 2_000;
const mostFormer = 5_000;
/** Milliseconds. */
const newMs = 10_000;

/** What the vault holds, as last seen, and those who follow it. */
export interface Tree {
  get(path: string): Found | undefined;
  entries(): readonly VaultEntry[];
  /** Names of the folders at the top, in order; set only when they are others. */
  readonly folders: Observable<readonly string[]>;
  /** A name in the same folder that some disk or sync tool would take for this one. */
  hasTwin(path: string): boolean;
  /** Paths of everything in a folder, itself included. */
  under(path: string): string[];
  /** Paths of files that had this number when they were last seen. */
  pathsOf(ino: number): string[];
  /**
   * Where the note was that this file was, before it went from there or another file took its place. `isNew`: it had not been
   * there for long, as what a program writes beside a note to put it in its place.
   */
  formerly(file: string): Formerly | null;
  /** The difference to what was known; followers are told. */
  replaceAll(items: readonly Found[]): { changed: string[]; added: string[]; removed: string[] };
  apply(changed: readonly Found[], removed: readonly string[]): void;
  /** Another folder is next: nothing is known of it. */
  clear(): void;
  findLinked(target: string, fromPath: string): string | null;
  follow(signal: AbortSignal): AsyncIterable<VaultChange>;
}

export interface Formerly {
  readonly path: string;
  readonly isNew: boolean;
}

interface Follower {
  all: boolean;
  readonly changed: Map<string, VaultEntry>;
  readonly removed: Set<string>;
  moved: VaultMove[];
  wake(): void;
}

const fold = (path: string) => path.normalize('NFC').toLowerCase();

export function isSame(a: Found | undefined, b: Found | undefined): boolean {
  if (!a || !b || a.entry.kind !== b.entry.kind) return false;
  if (a.entry.kind === 'folder') return true;
  const isUntouched = a.entry.size === b.entry.size && a.entry.modified === b.entry.modified;
  return isUntouched && a.ino === b.ino && a.access === b.access;
}

/** One closure, since every change is one of the paths, the links, what was there before and what followers are told. */
export function createTree(clock: Pick<Clock, 'now'>): Tree {
  const byPath = new Map<string, Found>();
  const folded = new Map<string, number>();
  const links = createLinkTargets();
  const followers = new Set<Follower>();
  const former = new Map<string, Formerly>();
  /** When those came that were not there when the vault was opened. */
  const cameAt = new Map<string, number>();
  let isOpened = false;
  let listed: readonly VaultEntry[] | null = null;
  const folders = createObservable<readonly string[]>([]);

  function put(item: Found): void {
    const { path, kind } = item.entry;
    if (!byPath.has(path)) {
      if (isOpened) cameAt.set(path, clock.now());
      folded.set(fold(path), (folded.get(fold(path)) ?? 0) + 1);
      if (kind !== 'folder') links.add(path);
    }
    byPath.set(path, item);
  }

  function drop(path: string): void {
    if (!byPath.delete(path)) return;
    links.remove(path);
    cameAt.delete(path);
    const rest = (folded.get(fold(path)) ?? 1) - 1;
    if (rest === 0) folded.delete(fold(path));
    else folded.set(fold(path), rest);
  }

  function leave(path: string, now?: Found): void {
    const before = byPath.get(path);
    if (before?.entry.kind !== 'note' || (now && idOf(now) === idOf(before))) return;
    const id = idOf(before);
    const isNew = clock.now() - (cameAt.get(path) ?? Number.NEGATIVE_INFINITY) < newMs;
    const was = former.get(id);
    former.delete(id);
    former.set(id, { path, isNew: isNew && (was?.isNew ?? true) });
    for (const oldest of former.keys()) if (former.size > mostFormer) former.delete(oldest);
  }

  function listFolders(): void {
    const now: string[] = [];
    for (const { entry } of byPath.values())
      if (entry.kind === 'folder' && !entry.path.includes('/')) now.push(entry.path);
    now.sort();
    const before = folders.get();
    if (now.length !== before.length || now.some((name, at) => name !== before[at])) folders.set(now);
  }

  function apply(changed: readonly Found[], removed: readonly string[]): void {
    if (changed.length + removed.length === 0) return;
    const moved = findMoves(byPath, changed, removed);
    for (const path of removed) leave(path);
    for (const item of changed) leave(item.entry.path, item);
    for (const path of removed) drop(path);
    for (const item of changed) put(item);
    listed = null;
    const isAtTop = (path: string) => !path.includes('/');
    if (removed.some(isAtTop) || changed.some(({ entry }) => isAtTop(entry.path))) listFolders();
    for (const follower of followers) {
      if (changed.length + removed.length > mostListed) follower.all = true;
      for (const path of removed) {
        follower.changed.delete(path);
        follower.removed.add(path);
      }
      for (const { entry } of changed) {
        follower.removed.delete(entry.path);
        follower.changed.set(entry.path, entry);
      }
      follower.moved = [...follower.moved, ...moved].slice(-mostListed);
      follower.wake();
    }
  }

  const entries = () => (listed ??= [...byPath.values()].map(({ entry }) => entry));

  return {
    get: (path) => byPath.get(path),
    entries,
    folders,
    hasTwin: (path) => folded.has(fold(path)),
    under(path) {
      if (byPath.get(path)?.entry.kind !== 'folder') return byPath.has(path) ? [path] : [];
      return [...byPath.keys()].filter((other) => isUnder(other, path));
    },
    pathsOf: (ino) =>
      [...byPath.values()]
        .filter((item) => item.ino === ino && item.entry.kind !== 'folder')
        .map(({ entry }) => entry.path),
    replaceAll(items) {
      const now = new Set(items.map(({ entry }) => entry.path));
      const removed = [...byPath.keys()].filter((path) => !now.has(path));
      const different = items.filter((item) => !isSame(byPath.get(item.entry.path), item));
      const changed = different.map(({ entry }) => entry.path);
      const added = changed.filter((path) => !byPath.has(path));
      apply(different, removed);
      isOpened = true;
      return { changed, added, removed };
    },
    formerly: (file) => former.get(file) ?? null,
    apply,
    clear() {
      apply([], [...byPath.keys()]);
      former.clear();
      isOpened = false;
    },
    findLinked: links.find,
    async *follow(signal) {
      let woken: () => void = () => undefined;
      const follower: Follower = {
        all: true,
        changed: new Map(),
        removed: new Set(),
        moved: [],
        wake: () => woken(),
      };
      followers.add(follower);
      const onAbort = () => woken();
      signal.addEventListener('abort', onAbort);
      try {
        while (!signal.aborted) {
          const { all, moved } = follower;
          const changed = [...follower.changed.values()];
          const removed = [...follower.removed];
          follower.all = false;
          follower.changed.clear();
          follower.removed.clear();
          follower.moved = [];
          const moves = moved.length > 0 && { moved };
          if (all) yield { kind: 'all', entries: [...entries()], ...moves };
          else if (changed.length + removed.length > 0) yield { kind: 'some', changed, removed, ...moves };
          else
            await new Promise<void>((resolve) => {
              woken = resolve;
              if (signal.aborted) resolve();
            });
        }
      } finally {
        followers.delete(follower);
        signal.removeEventListener('abort', onAbort);
      }
    },
  };
}
