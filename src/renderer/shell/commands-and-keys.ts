import { useMemo } from 'react';
import { tellMissed } from '../base/core/connected';
import { type Core, useCore } from '../base/core/core';
import { isMissed } from '../base/core/missed';
import { type Command, useRegisteredCommands } from '../base/keyboard/commands';
import { keysBesideBrowser } from '../base/keyboard/keys';
import { useLayout } from '../base/layout/layout';
import { activeNote, isCanvas } from '../base/layout/layout-state';
import { makeNote, newConversation, newNote } from '../base/layout/make-note';
import type { UnmadeNote } from '../base/layout/unmade';
import { t, useLanguage } from '../base/text/text';

/** The commands of the workbench itself; features add their own. */
export function useWorkbenchCommands(): void {
  const core = useCore();
  const language = useLanguage((state) => state.language);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the titles change with the language.
  const commands = useMemo(() => workbenchCommands(core), [core, language]);
  useRegisteredCommands(commands);
}

const entityCommands = [
  { type: 'milestone', title: 'command.newMilestone' },
  { type: 'story', title: 'command.newStory' },
  { type: 'task', title: 'command.newTask' },
  { type: 'decision', title: 'command.newDecision' },
  { type: 'document', title: 'command.newDocument' },
] as const;

/** Only told among the keys: once a note is open, its own stand here. */
const never = () => false;

/** A table: each command with its words, its keys and what it does. */
function workbenchCommands(core: Core): Command[] {
  const layout = () => useLayout.getState();
  const hasTab = () => layout().activeTab !== null;
  return [
    {
      id: 'palette.open',
      title: t('command.palette'),
      keys: 'Mod-p',
      run: () => layout().show({ kind: 'palette' }),
    },
    {
      id: 'switcher.open',
      title: t('command.switcher'),
      keys: 'Mod-o',
      run: () => layout().show({ kind: 'switcher' }),
    },
    {
      id: 'settings.open',
      title: t('command.settings'),
      keywords: t('command.settingsToo'),
      keys: 'Mod-,',
      run: () => layout().show({ kind: 'settings', section: 'general' }),
    },
    {
      id: 'tools.open',
      title: t('command.tools'),
      ...keysBesideBrowser('Mod-Shift-t', 'Alt-Shift-t'),
      run: () => layout().show({ kind: 'tools', serverId: null }),
    },
    {
      id: 'note.newConversation',
      title: t('command.newConversation'),
      ...keysBesideBrowser('Mod-Shift-n', 'Alt-Shift-c'),
      run: begin(core, newConversation),
    },
    {
      id: 'note.new',
      title: t('command.newNote'),
      ...keysBesideBrowser('Mod-n', 'Alt-Shift-n'),
      run: begin(core, newNote),
    },
    { id: 'view.servers', title: t('command.servers'), run: () => layout().openView('servers') },
    { id: 'view.health', title: t('command.health'), run: () => layout().openView('health') },
    {
      id: 'note.history',
      title: t('command.noteHistory'),
      keywords: t('command.noteHistoryToo'),
      keys: 'Mod-Alt-h',
      when: () => activeNote(layout()) !== null,
      run: () => layout().showSide('history'),
    },
    {
      id: 'versions.deleted',
      title: t('command.deletedNotes'),
      keywords: t('command.deletedNotesToo'),
      run: () => layout().show({ kind: 'deleted-notes' }),
    },
    {
      id: 'recovery.open',
      title: t('command.recovery'),
      keywords: t('command.recoveryToo'),
      run: () => layout().show({ kind: 'recovery', about: null }),
    },
    {
      id: 'versions.beforeAnswer',
      title: t('command.beforeAnswer'),
      keywords: t('command.beforeAnswerToo'),
      run: () => layout().show({ kind: 'before-answer', runId: null }),
    },
    { id: 'view.history', title: t('command.history'), run: () => layout().openView('history') },
    { id: 'view.projects', title: t('command.projects'), run: () => layout().openView('projects') },
    ...entityCommands.map(({ type, title }) => ({
      id: `entity.new.${type}`,
      title: t(title),
      run: () => layout().show({ kind: 'new-entity', type }),
    })),
    { id: 'view.left', title: t('command.left'), keys: 'Mod-Alt-b', run: () => layout().toggleLeft() },
    { id: 'view.right', title: t('command.right'), keys: 'Mod-Shift-b', run: () => layout().toggleRight() },
    {
      id: 'tab.close',
      title: t('command.closeTab'),
      ...keysBesideBrowser('Mod-w', 'Alt-Shift-w'),
      when: hasTab,
      run: () => goOnWhere(() => layout().closeTab(layout().activeTab ?? '')),
    },
    {
      id: 'tab.next',
      repeats: true,
      title: t('command.nextTab'),
      ...keysBesideBrowser('Ctrl-Tab', 'Alt-PageDown'),
      when: hasTab,
      run: () => goOnWhere(() => layout().step(1)),
    },
    {
      id: 'tab.previous',
      repeats: true,
      title: t('command.previousTab'),
      ...keysBesideBrowser('Ctrl-Shift-Tab', 'Alt-PageUp'),
      when: hasTab,
      run: () => goOnWhere(() => layout().step(-1)),
    },
    {
      id: 'theme.switch',
      title: t('command.theme'),
      keywords: t('command.themeToo'),
      run: () => {
        const theme = document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark';
        core.call('settings.change', { changes: { theme } }).catch((error) => {
          // Said by the banner.
          if (!isMissed(error)) throw error;
        });
      },
    },
    {
      id: 'vault.openOther',
      title: t('command.openFolder'),
      keywords: t('command.openFolderToo'),
      run: () => layout().show({ kind: 'settings', section: 'vault' }),
    },
    {
      id: 'note.answer',
      title: t('note.command.answer'),
      keys: 'Mod-Enter',
      shownOnly: true,
      when: never,
      run: () => undefined,
    },
    { id: 'note.stop', title: t('command.stop'), keys: 'Escape', when: never, run: () => undefined },
  ];
}

/** Shows another tab; in a note's the person goes on where they were. */
function goOnWhere(change: () => void): void {
  change();
  const { tabs, activeTab, visit } = useLayout.getState();
  const tab = tabs.find(({ id }) => id === activeTab);
  if (tab?.kind === 'note' && !isCanvas(tab.path)) visit(tab.path);
}

/** The person writes on in the note that is made. Pressed again meanwhile, it is the same one. */
function begin(core: Core, request: () => UnmadeNote): () => void {
  let making: ReturnType<typeof makeNote> | null = null;
  return () => {
    const note = request();
    making ??= makeNote(core, note).finally(() => {
      making = null;
    });
    const { writeInMade } = useLayout.getState();
    writeInMade(making, 'end', () => note).catch((error) => {
      // Said in the place of the note, and by the banner.
      if (isMissed(error)) tellMissed(note.what);
    });
  };
}
