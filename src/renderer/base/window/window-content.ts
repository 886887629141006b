import type { BridgeClient } from '../../../bridge/client';
import type { AppOperations } from '../../../contract/operations';
import {
  longestDraft,
  type WindowDraft,
  type WindowLayout,
  type WindowState,
} from '../../../contract/windows';
import type { Letter, Mailbox } from './mailbox';

export type Core = BridgeClient<AppOperations>;
/** What of a window is no draft. */
export type WindowParts = Omit<WindowState, 'drafts'>;
export type PartName = keyof WindowParts;
export type PartChanges = Partial<Omit<WindowParts, 'layout'>> & { readonly layout?: WindowLayout };

/** In the mailbox: parts that were changed just before the page was left. */
export const ofParts = 'part ';
/** Words for notes wait in the mailbox until their notes have them. */
const forNotes = 'note ';
export const isForNote = (name: string) => name.startsWith(forNotes);

export const emptyParts: WindowParts = { layout: null, panels: {}, greeted: [] };

/** What the page has of its window, and what of that the core has not said that it has. */
export interface WindowContent {
  core: Core | null;
  mailbox: Mailbox | null;
  /** Whether what the core keeps of this window has come. */
  isHere: boolean;
  parts: WindowParts;
  readonly drafts: Map<string, object>;
  /** When each was put. */
  readonly putAt: Map<string, number>;
  readonly unsent: { readonly parts: Set<PartName>; readonly drafts: Set<string> };
  /** Of which there is more than may be written down. */
  readonly partial: Set<string>;
  /** What found no room in the mailbox. */
  readonly homeless: Set<string>;
  readonly listeners: { readonly [event in 'here' | 'parts' | 'drafts']: Set<() => void> };
}

export const createWindowContent = (): WindowContent => ({
  core: null,
  mailbox: null,
  isHere: false,
  parts: emptyParts,
  drafts: new Map(),
  putAt: new Map(),
  unsent: { parts: new Set(), drafts: new Set() },
  partial: new Set(),
  homeless: new Set(),
  listeners: { here: new Set(), parts: new Set(), drafts: new Set() },
});

export function tell(listeners: Iterable<() => void>): void {
  for (const listener of listeners) listener();
}

export function changeParts(content: WindowContent, changes: PartChanges): void {
  content.parts = { ...content.parts, ...changes };
  for (const name of Object.keys(changes) as PartName[]) content.unsent.parts.add(name);
}

export const holdsDraft = ({ drafts, unsent, partial }: WindowContent, name: string) =>
  drafts.has(name) || unsent.drafts.has(name) || partial.has(name);

/** Of the windows whose pages are there; nobody has more. */
export const aliveWindows = async (mailbox: Mailbox) => (await mailbox.alive()).slice(0, 1_000);

export const draftOf = (draft: object, at: number): WindowDraft => ({
  at,
  draft: draft as WindowDraft['draft'],
});

/** Null: it is a draft. */
export function partOf({ name, content }: Letter): PartChanges | null {
  if (!name.startsWith(ofParts) || content === null || !('value' in content)) return null;
  return { [name.slice(ofParts.length)]: content.value };
}

export const fitsWire = (draft: object | undefined) =>
  draft === undefined || JSON.stringify(draft).length <= longestDraft;
