import { isUnder, movedPath } from '../../../contract/paths';
import { activeNote, type Layout, type LayoutStore, pathOf, type Tab } from './layout-state';

type TabActions = Pick<
  Layout,
  | 'openNote'
  | 'openView'
  | 'activate'
  | 'step'
  | 'closeTab'
  | 'moveTab'
  | 'renamed'
  | 'renamedElsewhere'
  | 'removed'
>;

const following =
  (from: string, to: string) =>
  <T extends { readonly path: string | null }>(at: T): T =>
    at.path !== null && isUnder(at.path, from) ? { ...at, path: movedPath(at.path, from, to) } : at;

/** Of the tabs of a note that was moved to where another one stood, the one that is looked at stays. */
function oneANote(tabs: readonly Tab[], activeTab: string | null): Tab[] {
  return tabs.filter((tab) => {
    const same = tabs.filter((other) => other.kind === 'note' && other.path === pathOf(tab));
    return tab === (same.find(({ id }) => id === activeTab) ?? same[0] ?? tab);
  });
}

function withoutTabs({ tabs, activeTab }: Layout, isClosing: (tab: Tab) => boolean) {
  const rest = tabs.filter((tab) => !isClosing(tab));
  if (rest.some(({ id }) => id === activeTab)) return { tabs: rest };
  const before = tabs.slice(
    0,
    tabs.findIndex(({ id }) => id === activeTab),
  );
  const neighbour = before.findLast((tab) => !isClosing(tab)) ?? rest[0];
  return { tabs: rest, activeTab: neighbour?.id ?? null };
}

/** Which tabs there are, and which one is looked at. */
export function createTabActions({ setState: set, getState: get }: LayoutStore): TabActions {
  const open = (tab: Tab) =>
    set(({ tabs }) => ({
      tabs: tabs.some(({ id }) => id === tab.id) ? tabs : [...tabs, tab],
      activeTab: tab.id,
    }));

  return {
    openNote: (path) => {
      const match = get().tabs.find((tab) => tab.kind === 'note' && tab.path === path);
      open(match ?? { id: crypto.randomUUID(), kind: 'note', path });
    },
    openView: (view) => open({ id: `view:${view}`, kind: 'view', view }),
    activate: (activeTab) => set({ activeTab }),
    step: (by) =>
      set(({ tabs, activeTab }) => {
        const at = tabs.findIndex(({ id }) => id === activeTab);
        return { activeTab: tabs[(at + by + tabs.length) % tabs.length]?.id ?? null };
      }),
    closeTab: (id) => set((layout) => withoutTabs(layout, (tab) => tab.id === id)),
    moveTab: (id, to) =>
      set(({ tabs }) => {
        const moved = tabs.find((tab) => tab.id === id);
        return moved ? { tabs: tabs.filter((tab) => tab !== moved).toSpliced(to, 0, moved) } : {};
      }),
    renamed: (from, to) =>
      set(({ tabs, activeTab, focusRequest, insertion }) => {
        const follow = following(from, to);
        const moved = tabs.map((tab) => (tab.kind === 'note' ? follow(tab) : tab));
        return {
          tabs: oneANote(moved, activeTab),
          focusRequest: focusRequest && follow(focusRequest),
          insertion: insertion && follow(insertion),
        };
      }),
    renamedElsewhere: (from, to) =>
      set(({ tabs, activeTab }) => {
        const follow = following(from, to);
        const active = activeNote({ tabs, activeTab });
        const moved = tabs.map((tab) => (tab.kind === 'note' && tab.path !== active ? follow(tab) : tab));
        return { tabs: oneANote(moved, activeTab) };
      }),
    removed: (path) =>
      set((layout) => withoutTabs(layout, (tab) => tab.kind === 'note' && isUnder(tab.path, path))),
  };
}
