import { AppError } from '../../contract/errors';
import type { NoteVault } from '../../contract/notes';
import type { Database } from '../foundation';
import type { Vault } from './vault';

/**
 * Under what is kept of the open vault: the folder, wherever it is moved. Its path only where the file system tells folders
 * apart by nothing else.
 */
export function vaultKey(vault: Pick<Vault, 'id' | 'root'>): string {
  return vault.id() ?? vault.root();
}

/**
 * What a window still does for a note belongs to the vault that it was opened in: another one may be open by now that has a note of
 * the same name, and even of the same words.
 */
export function refuseOtherVault(
  vault: Pick<Vault, 'id' | 'root' | 'state'>,
  of: NoteVault | undefined,
  path: string,
): void {
  if (!of || vault.state.get().kind === 'none') return;
  const id = vault.id();
  const isSame = id !== null && of.id !== null ? id === of.id : vault.root() === of.root;
  if (!isSame) throw new AppError('vault.not-found', `“${path}” is in a vault that was left.`, { path });
}

/** Earlier versions kept by the path. */
export function takeOverRows(
  database: Pick<Database, 'write'>,
  vault: Pick<Vault, 'id' | 'root'>,
  tables: readonly string[],
): void {
  const key = vaultKey(vault);
  for (const table of tables)
    void database.write([`update or ignore ${table} set vault = ? where vault = ?`, key, vault.root()]);
}

/** Null where none is open. */
export function openVaultOf(
  vault: Pick<Vault, 'id' | 'root' | 'state'>,
): { readonly root: string; readonly key: string } | null {
  return vault.state.get().kind === 'open' ? { root: vault.root(), key: vaultKey(vault) } : null;
}

export function onRenamed(
  vault: Pick<Vault, 'id' | 'root' | 'onOwnChange'>,
  onRename: (key: string, from: string, to: string) => void,
): () => void {
  return vault.onOwnChange((change) => {
    if (change.kind === 'renamed') onRename(vaultKey(vault), change.from, change.to);
  });
}
