import { Folder } from 'lucide-react';
import { useMemo, useState } from 'react';
import { isUnder } from '../../../contract/paths';
import { useVaultEntries } from '../../base/layout/vault-entries';
import { noteName } from '../../base/text/format';
import { highlighted, search } from '../../base/text/fuzzy';
import { t } from '../../base/text/text';
import { ConfirmDialog, PickDialog } from '../../ui';
import type { FileActions } from './file-actions';
import { useTree } from './tree-state';

export function FileDialogs({ actions }: { actions: FileActions }) {
  const { deleting, remove, moving, move } = useTree();
  const { entries } = useVaultEntries();
  return (
    <>
      {deleting !== null && (
        <ConfirmDialog
          title={t('files.deleteTitle', { name: noteName(deleting) })}
          text={t(entries?.get(deleting)?.kind === 'folder' ? 'files.deleteFolder' : 'files.deleteNote')}
          confirm={t('files.delete')}
          cancel={t('ui.cancel')}
          danger
          onConfirm={() => actions.trash(deleting)}
          onClose={() => remove(null)}
        />
      )}
      {moving !== null && <MoveDialog path={moving} actions={actions} onClose={() => move(null)} />}
    </>
  );
}

function MoveDialog({ path, actions, onClose }: { path: string; actions: FileActions; onClose(): void }) {
  const [query, setQuery] = useState('');
  const { entries } = useVaultEntries();
  const name = path.split('/').pop() ?? path;
  const folders = useMemo(() => {
    const folderEntries = [...(entries?.values() ?? [])].filter(
      (entry) => entry.kind === 'folder' && !isUnder(entry.path, path),
    );
    return ['', ...folderEntries.map((entry) => entry.path).sort()];
  }, [entries, path]);
  return (
    <PickDialog
      title={t('files.moveTitle', { name: noteName(path) })}
      placeholder={t('files.movePlaceholder')}
      query={query}
      onQuery={setQuery}
      items={search(query, folders, (folder) => folder || t('files.root'))}
      keyOf={({ item }) => item}
      render={(result) => (
        <>
          <Folder size={14} strokeWidth={1.75} aria-hidden />
          <span className="ui-pick-main">{highlighted(result)}</span>
        </>
      )}
      onPick={({ item }) => {
        onClose();
        void actions.moveTo(path, item === '' ? name : `${item}/${name}`);
      }}
      empty={t('files.moveEmpty')}
      onClose={onClose}
    />
  );
}
