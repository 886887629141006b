import type { StoreApi } from 'zustand';
import type { EntityType } from '../../../contract/projects';
import type { SidePage, Tab, View, WindowLayout } from '../../../contract/windows';
import type { UnmadeNote } from './unmade';

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

/** What the editor of the active note offers to the rest of the screen. */
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
export interface FocusRequest {
  /** Null: it is still being made. */
  readonly path: string | null;
  readonly at: 'end' | 'kept' | 'kept-or-end';
  /** What it was while it was being made. */
  readonly origin?: FocusRequest;
}

/** A note that was asked for and could not be made. */
interface NotMade {
  readonly focusRequest: FocusRequest;
  /** Null: that is said where it was asked for. */
  readonly note: UnmadeNote | null;
  readonly error: unknown;
}

export interface Layout extends Readonly<WindowLayout> {
  readonly version: ShownVersion | null;
  readonly modal: Modal | null;
  /** An address outside the app that waits for the person's yes. */
  readonly link: string | null;
  readonly editor: ActiveEditor | null;
  /** Tabs of notes that could not be changed when they were shown last. */
  readonly locked: readonly string[];
  readonly insertion: Insertion | null;
  readonly focusRequest: FocusRequest | null;
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
    unmade?: (error: unknown) => UnmadeNote | null,
  ): Promise<void>;
  /** The same out of the dialog that is shown, which goes once the note is there and says itself why it is not. */
  leaveFor(
    making: Promise<{ readonly path: string }>,
    at: 'end' | 'kept',
    unmade?: (error: unknown) => UnmadeNote | null,
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

export type LayoutStore = Pick<StoreApi<Layout>, 'setState' | 'getState'>;

/** A tab of a canvas is one of a file like a note's, and shown by another view. */
export const isCanvas = (path: string) => path.endsWith('.canvas');

export const pathOf = (tab: Tab) => (tab.kind === 'note' ? tab.path : null);

export function activeNote({ tabs, activeTab }: Pick<Layout, 'tabs' | 'activeTab'>): string | null {
  const tab = tabs.find(({ id }) => id === activeTab);
  return tab?.kind === 'note' && !isCanvas(tab.path) ? tab.path : null;
}
