import { useEffect } from 'react';
import { create } from 'zustand';
import { isAppError } from '../../../contract/errors';
import { isUnder, movedPath } from '../../../contract/paths';
import type { VaultChange, VaultEntry } from '../../../contract/vault';
import { createLinkTargets } from '../../../markdown';
import type { Core } from '../core/core';
import { useLayout } from './layout';

interface VaultEntries {
  /** By path; undefined until the core has listed the vault. */
  readonly entries: ReadonlyMap<string, VaultEntry> | undefined;
  readonly error: unknown;
}

export const useVaultEntries = create<VaultEntries>(() => ({ entries: undefined, error: undefined }));

/** What links lead to, kept in step with the entries. */
export const linkTargets = createLinkTargets();

function updateLinkTargets(change: VaultChange): void {
  if (change.kind === 'all') linkTargets.clear();
  else change.removed.forEach(linkTargets.remove);
  for (const { kind, path } of change.kind === 'all' ? change.entries : change.changed)
    if (kind !== 'folder') linkTargets.add(path);
}

export function applyChange(
  before: ReadonlyMap<string, VaultEntry> | undefined,
  change: VaultChange,
): ReadonlyMap<string, VaultEntry> {
  if (change.kind === 'all') return new Map(change.entries.map((entry) => [entry.path, entry]));
  const after = new Map(before);
  for (const path of change.removed) after.delete(path);
  for (const entry of change.changed) after.set(entry.path, entry);
  return after;
}

/** Follows the files of the open vault; once, for the whole screen. */
export function useFollowedVault(core: Core, vault: string | null): void {
  useEffect(() => {
    useVaultEntries.setState({ entries: undefined, error: undefined });
    linkTargets.clear();
    if (vault === null) return;
    const leaving = new AbortController();
    void follow(core, leaving.signal);
    return () => leaving.abort();
  }, [core, vault]);
}

function apply(change: VaultChange): void {
  updateLinkTargets(change);
  useVaultEntries.setState(({ entries }) => ({ entries: applyChange(entries, change), error: undefined }));
}

/** Hidden files are in no list, so of theirs nothing is known. */
export const isKnownGone = (entries: VaultEntries['entries'], path: string): boolean =>
  entries !== undefined && !entries.has(path) && !path.split('/').some((name) => name.startsWith('.'));

/** What stands at the path, and in it where it is a folder. */
function within(path: string): VaultEntry[] {
  const { entries } = useVaultEntries.getState();
  return [...(entries?.values() ?? [])].filter((one) => isUnder(one.path, path));
}

/** What the core did when it was asked is so from its answer on; the stream of the entries tells it a moment later. */
export const ownChanges = {
  created(path: string, kind: VaultEntry['kind']): void {
    if (within(path).length > 0) return;
    apply({ kind: 'some', changed: [{ path, kind, size: 0, modified: Date.now() }], removed: [] });
  },
  moved(from: string, to: string): void {
    const before = within(from);
    apply({
      kind: 'some',
      changed: before.map((one) => ({ ...one, path: movedPath(one.path, from, to) })),
      removed: before.map(({ path }) => path),
    });
  },
  removed(path: string): void {
    apply({ kind: 'some', changed: [], removed: within(path).map((one) => one.path) });
  },
};

async function follow(core: Core, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      for await (const change of core.stream('vault.entries', {}, { signal })) {
        for (const { from, to } of change.moved ?? []) useLayout.getState().renamedElsewhere(from, to);
        apply(change);
      }
      return;
    } catch (error) {
      if (signal.aborted) return;
      // The client waits for the next connection by itself, so asking again at once is no hurry.
      if (isAppError(error, 'connection.lost')) continue;
      useVaultEntries.setState({ error });
      return;
    }
  }
}
