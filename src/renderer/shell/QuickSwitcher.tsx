import { FileText } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useAction } from '../base/core/core';
import { keyLabels } from '../base/keyboard/keys';
import { useLayout } from '../base/layout/layout';
import { isForWantOfCore } from '../base/layout/unmade';
import { useVaultEntries } from '../base/layout/vault-entries';
import { failureText } from '../base/text/error-words';
import { folderOf, noteName } from '../base/text/format';
import { highlighted, search } from '../base/text/fuzzy';
import { t } from '../base/text/text';
import { Kbd, PickDialog } from '../ui';

const withoutEnding = (name: string) => name.trim().replace(/\.md$/i, '');

export function QuickSwitcher({ onClose }: { onClose(): void }) {
  const [query, setQuery] = useState('');
  const { entries } = useVaultEntries();
  const { leaveFor, visit, tabs } = useLayout();
  const create = useAction('vault.create');

  const notes = useMemo(() => {
    const open = new Set(tabs.map((tab) => (tab.kind === 'note' ? tab.path : '')));
    return [...(entries?.values() ?? [])]
      .filter(({ kind }) => kind === 'note')
      .sort((a, b) => Number(open.has(b.path)) - Number(open.has(a.path)) || b.modified - a.modified);
  }, [entries, tabs]);
  const results = useMemo(
    () => search(withoutEnding(query), notes, ({ path }) => withoutEnding(path)),
    [query, notes],
  );

  const createNote = () => {
    const name = query.trim().replace(/^\/+|(?<!\/)\/+$/g, '');
    if (name === '') return;
    const path = /\.md$/i.test(name) ? name : `${name}.md`;
    const what = t('unmade.named', { what: t('command.newNote'), name });
    const unmade = (error: unknown) => {
      // Another name may do, and is typed into the box that it was refused below.
      if (!isForWantOfCore(error)) return null;
      onClose();
      return { what, path, isConversation: false };
    };
    leaveFor(create.mutateAsync({ path }), 'end', unmade);
  };

  return (
    <PickDialog
      title={t('command.switcher')}
      placeholder={t('switcher.placeholder')}
      query={query}
      onQuery={setQuery}
      items={results}
      keyOf={({ item }) => item.path}
      render={(result) => (
        <>
          <FileText size={14} strokeWidth={1.75} aria-hidden />
          <span className="ui-pick-main">
            {result.match ? highlighted(result) : noteName(result.item.path)}
          </span>
          {!result.match && <span className="ui-pick-side">{folderOf(result.item.path)}</span>}
        </>
      )}
      onPick={({ item }) => {
        onClose();
        visit(item.path);
      }}
      onOther={createNote}
      empty={t('switcher.empty')}
      problem={create.error && failureText(create.error)}
      footer={
        <>
          <span>
            <Kbd keys={['↑', '↓']} /> {t('switcher.choose')}
          </span>
          <span>
            <Kbd keys={keyLabels('Enter')} /> {t('switcher.open')}
          </span>
          <span>
            <Kbd keys={keyLabels('Shift-Enter')} /> {t('switcher.create')}
          </span>
        </>
      }
      onClose={onClose}
    />
  );
}
