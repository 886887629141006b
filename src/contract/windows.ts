import './no-eval';
import * as z from 'zod';
import { call, stream } from './define';
import { NotePath } from './ids';
import { JsonObject } from './json';
import { dataErrors } from './operation-errors';

/** Made by the page, and the same over its reloads. */
export const WindowId = z.string().regex(/^[\w-]{1,64}$/);

export const View = z.enum(['servers', 'health', 'history', 'projects']);
export type View = z.infer<typeof View>;

const TabId = z.string().max(100);
/** `id` is the tab's own from its opening to its closing, wherever its note is moved meanwhile. */
export const Tab = z.discriminatedUnion('kind', [
  z.object({ id: TabId, kind: z.literal('note'), path: NotePath }).readonly(),
  z.object({ id: TabId, kind: z.literal('view'), view: View }).readonly(),
]);
export type Tab = z.infer<typeof Tab>;

export const SidePage = z.enum(['context', 'history']);
export type SidePage = z.infer<typeof SidePage>;

const FolderPath = z.string().max(4096);

export const WindowLayout = z.object({
  /** Absolute path of the vault that the tabs belong to. */
  vault: FolderPath.nullable(),
  tabs: z.array(Tab).max(1_000).readonly(),
  activeTab: TabId.nullable(),
  /** Tabs of notes in the order in which they were looked at, the last one first; also some that are closed. */
  looked: z.array(TabId).max(1_000).readonly(),
  leftOpen: z.boolean(),
  rightOpen: z.boolean(),
  /** What stands beside the note. */
  side: SidePage,
});
export type WindowLayout = z.infer<typeof WindowLayout>;

/** What of it can be read: what another version wrote otherwise costs itself, and nothing beside it. */
const ReadableLayout = z
  .object({
    vault: WindowLayout.shape.vault.catch(null),
    tabs: readable(Tab),
    activeTab: WindowLayout.shape.activeTab.catch(null),
    looked: readable(TabId),
    leftOpen: z.boolean().catch(true),
    rightOpen: z.boolean().catch(false),
    side: SidePage.catch('context'),
  })
  .nullable()
  .catch(null);

function readable<T extends z.ZodType>(item: T) {
  return z
    .array(z.unknown())
    .catch([])
    .transform((list) =>
      list.slice(0, 1_000).flatMap((one) => {
        const result = item.safeParse(one);
        return result.success ? [result.data] : [];
      }),
    );
}

/** Null: nothing of it can be read. */
export const readLayout = (stored: unknown): WindowLayout | null => ReadableLayout.parse(stored);

/** The sizes of panels by which of them are shown, in the form of whoever draws them. */
export const PanelSizes = z
  .record(z.string().max(200), z.string().max(2_000))
  .refine((sizes) => Object.keys(sizes).length <= 50);
/** Vaults whose welcome note was shown; the last ones. */
export const GreetedVaults = z.array(FolderPath).max(50).readonly();

/** Characters of one draft as JSON. More than a page can keep by itself, so that all that waits there can be handed over. */
export const longestDraft = 8_000_000;
export const mostDrafts = 2_000;

const DraftName = z.string().min(1).max(10_000);
/** What was typed and is not saved, and when. */
export const WindowDraft = z.object({
  at: z.number(),
  draft: JsonObject.refine((draft) => JSON.stringify(draft).length <= longestDraft),
});
export type WindowDraft = z.infer<typeof WindowDraft>;

/** What of a window outlives its page. */
export const WindowState = z.object({
  /** Null: there has been no window before. */
  layout: WindowLayout.nullable(),
  panels: PanelSizes,
  greeted: GreetedVaults,
  /** By what they are typed into. */
  drafts: z.record(DraftName, WindowDraft),
});
export type WindowState = z.infer<typeof WindowState>;

const others = {
  id: WindowId,
  /** Windows whose pages are there, whether or not they are connected just now. */
  alive: z.array(WindowId).max(1_000),
};

export const windowsOperations = {
  /**
   * What is kept of the window, once; the window counts as open until this is left. A window that is not known goes on from the
   * one that was used last and is open no more. `copyOf`: it is a copy of that one, which is still open. `isBack`: its page has
   * all of it, and had only lost the connection.
   */
  'windows.enter': stream(
    z.object({ ...others, copyOf: WindowId.nullable(), isBack: z.boolean() }),
    WindowState,
    dataErrors,
  ),
  /** What is left out stays; null: the draft is saved or discarded. `written`: all that is kept is in the file. */
  'windows.keep': call(
    z.object({
      id: WindowId,
      layout: WindowLayout.optional(),
      panels: PanelSizes.optional(),
      greeted: GreetedVaults.optional(),
      drafts: z.record(DraftName, WindowDraft.nullable()).optional(),
    }),
    z.object({ written: z.boolean() }),
    dataErrors,
  ),
  /**
   * Gives the window the drafts of these names, and of names that begin so, which windows that are gone have left and it has
   * none of itself: of each the newest. The others wait for the next time. `from`: whose it was.
   */
  'windows.takeUp': call(
    z.object({
      ...others,
      names: z.array(DraftName).max(10_000),
      starts: z.array(DraftName).max(10_000),
    }),
    z.array(WindowDraft.extend({ name: DraftName, from: WindowId })),
    dataErrors,
  ),
} as const;
