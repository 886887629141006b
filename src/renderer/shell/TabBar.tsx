import { Activity, FileText, FolderKanban, History, PanelRight, Server, Workflow, X } from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef } from 'react';
import { useCommands } from '../base/keyboard/commands';
import { keyLabels } from '../base/keyboard/keys';
import { useActiveNote, useLayout } from '../base/layout/layout';
import { isCanvas, type Tab } from '../base/layout/layout-state';
import { folderOf, noteName } from '../base/text/format';
import { t } from '../base/text/text';
import { ContextMenu, classes, IconButton } from '../ui';

const icons = {
  note: FileText,
  servers: Server,
  health: Activity,
  history: History,
  projects: FolderKanban,
} as const;

export function tabName(tab: Tab): string {
  return tab.kind === 'note' ? noteName(tab.path) : t(`ribbon.${tab.view}`);
}

export function TabBar() {
  const { tabs, activeTab, closeTab, step, rightOpen, toggleRight } = useLayout();
  const list = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: follows the active tab.
  useEffect(() => {
    const bar = list.current;
    if (!bar) return;
    const reveal = () =>
      bar.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    reveal();
    // A window that is made narrower does not hide it either.
    const observer = new ResizeObserver(reveal);
    observer.observe(bar);
    return () => observer.disconnect();
  }, [activeTab]);

  const pressed = (event: KeyboardEvent, id: string) => {
    if (event.key === 'ArrowRight') step(1);
    else if (event.key === 'ArrowLeft') step(-1);
    else if (event.key === 'Delete') closeTab(id);
    else return;
    event.preventDefault();
    requestAnimationFrame(() => list.current?.querySelector<HTMLElement>('[aria-selected="true"]')?.focus());
  };

  const noteShown = useActiveNote() !== null;

  return (
    <div className="tab-bar">
      <div className="tab-list" role="tablist" aria-label={t('tabs.label')} ref={list}>
        {tabs.map((tab, at) => (
          <TabItem key={tab.id} tab={tab} at={at} onKey={pressed} />
        ))}
      </div>
      {noteShown && (
        <IconButton
          icon={PanelRight}
          label={t('command.right')}
          keys={keyLabels('Mod-Shift-b')}
          pressed={rightOpen}
          onClick={toggleRight}
        />
      )}
    </div>
  );
}

interface TabItemProps {
  tab: Tab;
  at: number;
  onKey(event: KeyboardEvent, id: string): void;
}

function TabItem({ tab, at, onKey }: TabItemProps) {
  const { tabs, activeTab, activate, visit, closeTab, moveTab } = useLayout();
  const closeKeys = useCommands(({ commands }) => commands.get('tab.close')?.keys);
  const hasNamesake = tabs.filter((other) => tabName(other) === tabName(tab)).length > 1;
  const Icon = tab.kind === 'view' ? icons[tab.view] : isCanvas(tab.path) ? Workflow : icons.note;
  const active = tab.id === activeTab;
  return (
    <ContextMenu
      items={[
        {
          label: t('command.closeTab'),
          keys: closeKeys === undefined ? undefined : keyLabels(closeKeys),
          run: () => closeTab(tab.id),
        },
        {
          label: t('files.closeOthers'),
          disabled: tabs.length < 2,
          run: () => {
            for (const other of tabs) if (other !== tab) closeTab(other.id);
          },
        },
      ]}
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions: by keyboard, the tab inside is moved and closed. */}
      <div
        className={classes('tab', active && 'tab-active')}
        draggable
        onDragStart={(event) => event.dataTransfer.setData('application/x-tab', tab.id)}
        onDragOver={(event) => event.preventDefault()}
        onDrop={(event) => moveTab(event.dataTransfer.getData('application/x-tab'), at)}
        onAuxClick={(event) => event.button === 1 && closeTab(tab.id)}
      >
        <button
          type="button"
          role="tab"
          id={`tab-${tab.id}`}
          className="tab-name"
          aria-selected={active}
          aria-controls={active ? 'tab-content' : undefined}
          aria-keyshortcuts="Delete"
          tabIndex={active ? 0 : -1}
          title={tab.kind === 'note' ? tab.path : undefined}
          onClick={({ detail }) => {
            // Whoever points at a note goes on writing in it; by keyboard one goes on along the tabs.
            const isPointed = detail > 0 && tab.kind === 'note' && !isCanvas(tab.path);
            if (isPointed) visit(tab.path);
            else activate(tab.id);
          }}
          onKeyDown={(event) => onKey(event, tab.id)}
        >
          <Icon size={14} strokeWidth={1.75} aria-hidden />
          <span>{tabName(tab)}</span>
          {tab.kind === 'note' && hasNamesake && <small>{folderOf(tab.path) || '/'}</small>}
        </button>
        <button
          type="button"
          className="tab-close"
          tabIndex={-1}
          aria-hidden
          title={t('tabs.close', { name: tabName(tab) })}
          onClick={() => closeTab(tab.id)}
        >
          <X size={12} strokeWidth={2} aria-hidden />
        </button>
      </div>
    </ContextMenu>
  );
}
