import { useLayout } from './layout';
import { isCanvas, type Tab } from './layout-state';
import { useVaultEntries } from './vault-entries';

export type NoteTab = Extract<Tab, { kind: 'note' }>;

/**
 * The note that something can be inserted into from wherever the person is: of those that are open and there, the one they
 * looked at last. One that is gone from the vault while it is shown is there as long as its editor is.
 */
export function insertTarget(
  { tabs, looked, editor }: Pick<ReturnType<typeof useLayout.getState>, 'tabs' | 'looked' | 'editor'>,
  entries: Pick<ReadonlyMap<string, unknown>, 'has'> | undefined,
): NoteTab | null {
  const isThere = (path: string) => entries?.has(path) !== false || editor?.path === path;
  const notes = tabs.filter(
    (tab): tab is NoteTab => tab.kind === 'note' && !isCanvas(tab.path) && isThere(tab.path),
  );
  for (const id of looked) {
    const last = notes.find((tab) => tab.id === id);
    if (last) return last;
  }
  return notes.at(-1) ?? null;
}

export function useInsertTarget(): NoteTab | null {
  const entries = useVaultEntries((vault) => vault.entries);
  return useLayout((layout) => insertTarget(layout, entries));
}
