import { create } from 'zustand';
import type { WindowLayout } from '../../../contract/windows';
import { thisWindow } from '../window/this-window';
import { activeNote, type Layout, pathOf } from './layout-state';
import { createNextEditorActions } from './next-editor';
import { createTabActions } from './tabs';

export const useLayout = create<Layout>()((set, get, store) => ({
  vault: null,
  tabs: [],
  activeTab: null,
  leftOpen: true,
  rightOpen: false,
  side: 'context',
  version: null,
  modal: null,
  link: null,
  editor: null,
  looked: [],
  locked: [],
  insertion: null,
  focusRequest: null,
  notMade: null,
  server: { id: null, page: 'overview' },
  adding: null,

  ...createTabActions(store),
  ...createNextEditorActions(store),
  openServer: (id, page) => {
    set({ server: { id, page } });
    get().openView('servers');
  },
  addServers: (adding) => {
    set({ adding, modal: null });
    get().openView('servers');
  },
  closeAdding: () => set({ adding: null }),
  enterVault: (vault) => {
    if (vault !== get().vault)
      set({
        vault,
        tabs: [],
        activeTab: null,
        editor: null,
        looked: [],
        locked: [],
        insertion: null,
        focusRequest: null,
      });
  },
  toggleLeft: () => set(({ leftOpen }) => ({ leftOpen: !leftOpen })),
  toggleRight: () => set(({ rightOpen }) => ({ rightOpen: !rightOpen, version: null })),
  showSide: (side) => set({ side, rightOpen: true, version: null }),
  showVersion: (version) => set({ version }),
  show: (modal) => set({ modal }),
  askToOpen: (link) => set({ link }),
  forgetLink: () => set({ link: null }),
  hideModal: () => set({ modal: null }),
  registerEditor: (editor) => {
    set(({ tabs, locked }) => {
      const id = tabs.find((tab) => pathOf(tab) === editor.path)?.id;
      const others = locked.filter((other) => other !== id);
      return { editor, locked: editor.readOnly && id !== undefined ? [...others, id] : others };
    });
    return () => {
      if (get().editor === editor) set({ editor: null });
    };
  },
}));

const keptOf = ({ vault, tabs, activeTab, looked, leftOpen, rightOpen, side }: Layout): WindowLayout => ({
  vault,
  tabs,
  activeTab,
  looked,
  leftOpen,
  rightOpen,
  side,
});

thisWindow.whenHere(({ layout }) => layout && useLayout.setState(layout));
useLayout.subscribe((layout, before) => {
  const [now, last] = [keptOf(layout), keptOf(before)];
  const isOther = (Object.keys(now) as (keyof WindowLayout)[]).some((name) => now[name] !== last[name]);
  if (isOther) thisWindow.keep({ layout: now });
});

useLayout.subscribe((layout) => {
  const { activeTab, looked, insertion, tabs } = layout;
  const path = activeNote(layout);
  if (insertion && insertion.path !== path) useLayout.setState({ insertion: null });
  if (path === null || activeTab === null || activeTab === looked[0]) return;
  const isBefore = (id: string) => id !== activeTab && tabs.some((tab) => tab.id === id);
  useLayout.setState({ looked: [activeTab, ...looked.filter(isBefore)] });
});

/** The note in the active tab. */
export function useActiveNote(): string | null {
  return useLayout(activeNote);
}
