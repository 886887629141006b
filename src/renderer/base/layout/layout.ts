import { create } from 'zustand';
import type { EntityType } from '../../../contract/projects';
import type { SidePage, Tab, View, WindowLayout } from '../../../contract/windows';
import { thisWindow } from '../window/this-window';
import { composed } from './composing';
import type { Asked } from './unmade';

export type ServerPage = 'overview' | 'resources' | 'prompts' | 'log';
export type { SidePage, Tab, View };
export type Modal =
  | { readonly kind: 'palette' }
  | { readonly kind: 'switcher' }
  /** `item`: what of the section is shown at once, such as a provider's id. */
  | { readonly kind: 'settings'; readonly section: string; readonly item?: string }
  | {
      readonly kind: 'tools';
      readonly serverId: string | null;
      /** The tool to begin with, filled in to be tried. */
      readonly tool?: { readonly name: string; readonly arguments: Readonly<Record<string, unknown>> };
    }
  | { readonly kind: 'new-entity'; readonly type: EntityType }
  | { readonly kind: 'deleted-notes' }
  /** `about`: a note, or a place on disk, whose text is shown first. */
  | { readonly kind: 'recovery'; readonly about: string | null }
  /** `runId` null: the person chooses among the answers. */
  | { readonly kind: 'before-answer'; readonly runId: string | null };

/** A version of a note that is looked at over the note. */
export interface ShownVersion {
  readonly path: string;
  readonly id: string;
}

/** What the editor of the active note lends to the rest of the screen. */
export interface ActiveEditor {
  readonly path: string;
  /** Nothing is inserted then. */
  readonly readOnly: boolean;
  /** Puts text at the cursor, on lines of its own, and takes the focus. */
  insertBlock(text: string): void;
  /** The same with what a server wrote. */
  insertForeignText(text: string): void;
  /** At the cursor, as turns of the person and of the one who is named; what a server said stays text. */
  insertTurns(turns: readonly { role: 'user' | 'assistant'; text: string }[], assistant: string): void;
  focus(): void;
  /** Does what the key would have done in it. */
  press(key: KeyboardEvent): void;
  /** The same with a text; the cursor stands in it there. */
  type(text: string, caret: number): void;
  /** Moves the cursor there and shows it. */
  goTo(offset: number): void;
}

/** Something that waits for the editor of its note, as long as that note is shown. */
interface Insertion {
  readonly path: string;
  put(editor: ActiveEditor): void;
}

/**
 * A note whose editor is to take the focus as soon as it is there: at the end of its text, or where the person left it.
 * `kept-or-end`: at the end where they have not been in it.
 */
export interface Wanted {
  /** Null: it is still being made. */
  readonly path: string | null;
  readonly at: 'end' | 'kept' | 'kept-or-end';
  /** What it was while it was being made. */
  readonly asked?: Wanted;
}

/** A note that was asked for and could not be made. */
interface NotMade {
  readonly wanted: Wanted;
  /** Null: that is said where it was asked for. */
  readonly asked: Asked | null;
  readonly error: unknown;
}

interface Layout extends Readonly<WindowLayout> {
  readonly version: ShownVersion | null;
  readonly modal: Modal | null;
  /** An address outside the app that waits for the person's yes. */
  readonly link: string | null;
  readonly editor: ActiveEditor | null;
  /** Tabs of notes that could not be changed when they were shown last. */
  readonly locked: readonly string[];
  readonly insertion: Insertion | null;
  readonly wanted: Wanted | null;
  /** The last one. */
  readonly notMade: NotMade | null;
  /** Which server the servers view shows, and which page of it. */
  readonly server: { readonly id: string | null; readonly page: ServerPage };

  /** What the box for new servers begins with; null: it is closed. */
  readonly adding: string | null;

  openNote(path: string): void;
  /** Shows the form for new servers with this in it; nothing is added or started. */
  addServers(text: string): void;
  closeAdding(): void;
  /** As openNote, and the person goes on typing there. */
  writeIn(path: string): void;
  /**
   * The same with one that is there only later, if it is; where its making fails, so does this. `unmade` tells what was asked
   * for, so that the person can go on with it: null, or left out, where that is said in another place.
   */
  writeInMade(
    making: Promise<{ readonly path: string } | null>,
    at?: 'end' | 'kept',
    unmade?: (error: unknown) => Asked | null,
  ): Promise<void>;
  /** The same out of the dialog that is shown, which goes once the note is there and says itself why it is not. */
  leaveFor(
    making: Promise<{ readonly path: string }>,
    at: 'end' | 'kept',
    unmade?: (error: unknown) => Asked | null,
  ): void;
  /** As openNote, and the person goes on where they were. */
  visit(path: string): void;
  /** The editor that was wanted has the focus, or never will. */
  arrived(): void;
  openView(view: View): void;
  openServer(id: string, page: ServerPage): void;
  activate(id: string): void;
  /** 1 for the next tab, −1 for the one before. */
  step(by: 1 | -1): void;
  closeTab(id: string): void;
  moveTab(id: string, to: number): void;
  /** Tabs of the note, or of all notes of a folder, follow it. */
  renamed(from: string, to: string): void;
  /** The same where another window or program did it: the note that is shown hears of it from its own session. */
  renamedElsewhere(from: string, to: string): void;
  removed(path: string): void;
  enterVault(path: string | null): void;
  toggleLeft(): void;
  toggleRight(): void;
  showSide(side: SidePage): void;
  showVersion(version: ShownVersion | null): void;
  show(modal: Modal): void;
  /** Shows where a link leads before it is opened in the person's own browser. */
  askToOpen(url: string): void;
  forgetLink(): void;
  hideModal(): void;
  registerEditor(editor: ActiveEditor): () => void;
  /** Shows the note where the person was in it, and puts something there. */
  insertInto(path: string, put: Insertion['put']): void;
  /** It is put in, or never will be. */
  endInsertion(): void;
}

/** A tab of a canvas is one of a file like a note's, and shown by another view. */
export const isCanvas = (path: string) => path.endsWith('.canvas');

export const pathOf = (tab: Tab) => (tab.kind === 'note' ? tab.path : null);

export function activeNote({ tabs, activeTab }: Pick<Layout, 'tabs' | 'activeTab'>): string | null {
  const tab = tabs.find(({ id }) => id === activeTab);
  return tab?.kind === 'note' && !isCanvas(tab.path) ? tab.path : null;
}

const inside = (path: string, folder: string) => path === folder || path.startsWith(`${folder}/`);

const following =
  (from: string, to: string) =>
  <T extends { readonly path: string | null }>(at: T): T =>
    at.path !== null && inside(at.path, from) ? { ...at, path: to + at.path.slice(from.length) } : at;

/** Of the tabs of a note that was moved to where another one stood, the one that is looked at stays. */
function oneANote(tabs: readonly Tab[], activeTab: string | null): Tab[] {
  return tabs.filter((tab) => {
    const same = tabs.filter((other) => other.kind === 'note' && other.path === pathOf(tab));
    return tab === (same.find(({ id }) => id === activeTab) ?? same[0] ?? tab);
  });
}

export const useLayout = create<Layout>()((set, get) => {
  const open = (tab: Tab) =>
    set(({ tabs }) => ({
      tabs: tabs.some(({ id }) => id === tab.id) ? tabs : [...tabs, tab],
      activeTab: tab.id,
    }));

  const close = (gone: (tab: Tab) => boolean) =>
    set(({ tabs, activeTab }) => {
      const left = tabs.filter((tab) => !gone(tab));
      if (left.some(({ id }) => id === activeTab)) return { tabs: left };
      const before = tabs.slice(
        0,
        tabs.findIndex(({ id }) => id === activeTab),
      );
      const neighbour = before.findLast((tab) => !gone(tab)) ?? left[0];
      return { tabs: left, activeTab: neighbour?.id ?? null };
    });

  const openNote = (path: string) => {
    const shown = get().tabs.find((tab) => tab.kind === 'note' && tab.path === path);
    open(shown ?? { id: crypto.randomUUID(), kind: 'note', path });
  };

  const goOnIn = (path: string, at: 'end' | 'kept') => {
    openNote(path);
    set({ wanted: { path, at } });
  };

  return {
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
    wanted: null,
    notMade: null,
    server: { id: null, page: 'overview' },
    adding: null,

    openNote,
    writeIn: (path) => goOnIn(path, 'end'),
    writeInMade: async (making, at = 'end', unmade = () => null) => {
      const wanted: Wanted = { path: null, at };
      set({ wanted });
      try {
        const made = await making;
        if (made) {
          openNote(made.path);
          set({ wanted: { path: made.path, at, asked: wanted } });
        } else set({ notMade: { wanted, asked: unmade(null), error: null } });
      } catch (error) {
        set({ notMade: { wanted, asked: unmade(error), error } });
        throw error;
      } finally {
        if (get().wanted === wanted) set({ wanted: null });
      }
    },
    leaveFor: (making, at, unmade) => {
      const { modal: left, writeInMade } = get();
      const made = making.then(async (note) => {
        // What is typed meanwhile is typed in the dialog.
        await composed();
        set(({ modal }) => ({ modal: modal === left ? null : modal }));
        return note;
      });
      writeInMade(made, at, unmade).catch(() => undefined);
    },
    visit: (path) => goOnIn(path, 'kept'),
    arrived: () => set({ wanted: null }),
    openView: (view) => open({ id: `view:${view}`, kind: 'view', view }),
    openServer: (id, page) => {
      set({ server: { id, page } });
      get().openView('servers');
    },
    addServers: (adding) => {
      set({ adding, modal: null });
      get().openView('servers');
    },
    closeAdding: () => set({ adding: null }),
    activate: (activeTab) => set({ activeTab }),
    step: (by) =>
      set(({ tabs, activeTab }) => {
        const at = tabs.findIndex(({ id }) => id === activeTab);
        return { activeTab: tabs[(at + by + tabs.length) % tabs.length]?.id ?? null };
      }),
    closeTab: (id) => close((tab) => tab.id === id),
    moveTab: (id, to) =>
      set(({ tabs }) => {
        const moved = tabs.find((tab) => tab.id === id);
        return moved ? { tabs: tabs.filter((tab) => tab !== moved).toSpliced(to, 0, moved) } : {};
      }),
    renamed: (from, to) =>
      set(({ tabs, activeTab, wanted, insertion }) => {
        const follow = following(from, to);
        const moved = tabs.map((tab) => (tab.kind === 'note' ? follow(tab) : tab));
        return {
          tabs: oneANote(moved, activeTab),
          wanted: wanted && follow(wanted),
          insertion: insertion && follow(insertion),
        };
      }),
    renamedElsewhere: (from, to) =>
      set(({ tabs, activeTab }) => {
        const follow = following(from, to);
        const shown = activeNote({ tabs, activeTab });
        const moved = tabs.map((tab) => (tab.kind === 'note' && tab.path !== shown ? follow(tab) : tab));
        return { tabs: oneANote(moved, activeTab) };
      }),
    removed: (path) => close((tab) => tab.kind === 'note' && inside(tab.path, path)),
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
          wanted: null,
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
    insertInto: (path, put) => {
      openNote(path);
      const isHere = get().editor?.path === path;
      set({ insertion: { path, put }, wanted: { path, at: isHere ? 'kept' : 'kept-or-end' } });
    },
    endInsertion: () => set({ insertion: null }),
  };
});

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
