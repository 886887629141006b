import { ChevronsDownUp, FilePlus, FolderPlus, FolderTree, SearchX, X } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import type { VaultState } from '../../../contract/vault';
import { useActiveNote } from '../../base/layout/layout';
import { useVaultEntries } from '../../base/layout/vault-entries';
import { failureText } from '../../base/text/error-words';
import { folderOf } from '../../base/text/format';
import { t } from '../../base/text/text';
import { Button, Callout, CopyButton, EmptyState, IconButton, SearchField, Spinner } from '../../ui';
import { FileDialogs } from './FileDialogs';
import { FileTree } from './FileTree';
import { type FileActions, useFileActions } from './file-actions';
import { foldersAbove, treeRows } from './tree';
import { useTree } from './tree-state';
import './vault.css';

export function Files({ vault }: { vault: Extract<VaultState, { kind: 'open' }> }) {
  const { entries, error } = useVaultEntries();
  const [filter, setFilter] = useState('');
  const { expanded, chosen, choose, setExpanded, collapseAll } = useTree();
  const actions = useFileActions();
  const active = useActiveNote();
  const rows = useMemo(
    () => treeRows(entries?.values() ?? [], { expanded, filter }),
    [entries, expanded, filter],
  );

  useEffect(() => {
    if (active === null) return;
    setExpanded(foldersAbove(active), true);
    choose(active);
  }, [active, choose, setExpanded]);

  const target = () => {
    if (chosen === null) return '';
    return entries?.get(chosen)?.kind === 'folder' ? chosen : folderOf(chosen);
  };

  return (
    <div className="files">
      <header className="files-head">
        <h2 title={vault.path}>{vault.name}</h2>
        <IconButton
          size="s"
          icon={FilePlus}
          label={t('files.newNote')}
          onClick={() => actions.createNote(target())}
        />
        <IconButton
          size="s"
          icon={FolderPlus}
          label={t('files.newFolder')}
          onClick={() => actions.createFolder(target())}
        />
        <IconButton size="s" icon={ChevronsDownUp} label={t('files.collapse')} onClick={collapseAll} />
      </header>
      <SearchField
        className="files-filter"
        label={t('files.filter')}
        value={filter}
        onChange={(event) => setFilter(event.target.value)}
        onKeyDown={(event) => event.key === 'Escape' && setFilter('')}
      />
      <FileNotices actions={actions} error={error} />
      {entries === undefined && !error && (
        <div className="files-wait">
          <Spinner />
        </div>
      )}
      {entries?.size === 0 && (
        <EmptyState icon={FolderTree} title={t('files.empty')} text={t('files.emptyText')}>
          <Button size="s" onClick={() => actions.createNote('')}>
            {t('files.newNote')}
          </Button>
        </EmptyState>
      )}
      {entries && entries.size > 0 && rows.length === 0 && (
        <EmptyState icon={SearchX} title={t('files.noMatch')} />
      )}
      {rows.length > 0 && <FileTree rows={rows} filter={filter} actions={actions} />}
      <FileDialogs actions={actions} />
    </div>
  );
}

/** What went wrong with a file, what was typed for it, and what is worth knowing. */
function FileNotices({ actions, error }: { actions: FileActions; error: unknown }) {
  return (
    <>
      {actions.problem !== '' && (
        <Callout
          tone="bad"
          actions={<IconButton icon={X} label={t('ui.dismiss')} size="s" onClick={actions.forgetProblem} />}
        >
          {actions.problem}
        </Callout>
      )}
      {actions.typed && (
        <Callout
          title={t('unmade.label', { what: actions.typed.what })}
          actions={
            <>
              <CopyButton text={actions.typed.text} />
              <IconButton icon={X} label={t('ui.dismiss')} size="s" onClick={actions.forgetTyped} />
            </>
          }
        >
          {actions.typed.text}
        </Callout>
      )}
      {actions.problem === '' && actions.hint !== '' && (
        <Callout
          actions={<IconButton icon={X} label={t('ui.dismiss')} size="s" onClick={actions.forgetHint} />}
        >
          {actions.hint}
        </Callout>
      )}
      {actions.problem === '' && Boolean(error) && <Callout tone="bad">{failureText(error)}</Callout>}
    </>
  );
}
