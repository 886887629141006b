import { useQuery } from '@tanstack/react-query';
import type { ServerEntry } from '../../../contract/mcp';
import { useAction, useCore } from '../../base/core/core';
import { useVaultEntries } from '../../base/layout/vault-entries';
import { failureText } from '../../base/text/error-words';
import { t } from '../../base/text/text';
import { Callout } from '../../ui';
import {
  folderOf,
  knownFolders,
  namedAlike,
  namedGone,
  rootOf,
  switchAll,
  switchRoot,
} from './server-folders';

/** What a server that asks learns of the person's folders, and where that is restricted. */
export function ServerFolders({ server: entry }: { server: ServerEntry }) {
  const core = useCore();
  const { data: rootEntries = [] } = useQuery({
    queryKey: ['mcp.roots', entry.id, entry.roots],
    queryFn: ({ signal }) => core.call('mcp.roots', { serverId: entry.id }, { signal, waits: true }),
    placeholderData: (before) => before,
    staleTime: 0,
  });
  const server = namedAlike(entry, rootEntries);
  const removals = new Set(namedGone(rootEntries));
  const entries = useVaultEntries((vault) => vault.entries);
  const update = useAction('mcp.update');
  const folders = [...(entries?.values() ?? [])]
    .filter(({ kind, path }) => kind === 'folder' && !path.includes('/'))
    .map(({ path }) => path)
    .sort();
  const access = knownFolders(server);
  const chosen = access.kind === 'chosen' ? access.roots : access.outside;
  const ofVault = folders.map(rootOf);
  const roots = [...ofVault, ...chosen.filter((root) => !ofVault.includes(root))];
  const save = (next: string[] | null) => {
    if (!update.isPending) update.mutate({ serverId: server.id, changes: { roots: next } });
  };
  return (
    <fieldset className="server-folders" aria-busy={update.isPending || undefined}>
      <legend>{t('servers.folders')}</legend>
      <p>{t('servers.foldersHint')}</p>
      <label>
        <input
          type="checkbox"
          checked={access.kind === 'all'}
          onChange={({ target }) => save(switchAll(target.checked, server))}
        />
        {t(folders.length === 0 ? 'servers.foldersVault' : 'servers.foldersAll')}
      </label>
      {roots.map((root) => (
        <label key={root} className="server-folder">
          <input
            type="checkbox"
            checked={chosen.includes(root) || (access.kind === 'all' && ofVault.includes(root))}
            onChange={({ target }) => save(switchRoot(root, target.checked, server, folders))}
          />
          <span>
            {folderOf(root)}
            {removals.has(root) && <small className="server-folder-gone">{t('servers.folderGone')}</small>}
          </span>
        </label>
      ))}
      {update.error && <Callout tone="bad">{failureText(update.error)}</Callout>}
    </fieldset>
  );
}
