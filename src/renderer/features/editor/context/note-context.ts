import { type EditorState, StateEffect, StateField } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import type { Prompt } from '../../../../contract/agents';
import type { NoteRun, RunCall, ToolLine } from '../../../../contract/chat';
import type { ApprovalAsked, ToolEntry } from '../../../../contract/tools';
import type { AnswerTimes } from '../../../../contract/versions';
import type { TagNames } from '../../../../markdown';
import type { NoteForm } from './note-form';
import type { OfferedPrompt, OfferServer, Offers } from './offers';
import type { ShownCall } from './shown-call';

export interface OffServer {
  readonly id: string;
  readonly name: string;
  readonly condition: 'off' | 'given-up';
}

/** What the extensions know of the world around the note. */
export interface NoteContext {
  readonly path: string;
  readonly tags: TagNames;
  /** Names and ids of servers: fences with such a language are tool blocks. */
  readonly servers: readonly string[];
  /** Those that are off, by the person or after failures. */
  readonly offServers: readonly OffServer[];
  readonly tools: readonly ToolEntry[];
  /** Prompts of the vault, and servers that may offer more. */
  readonly templates: readonly Prompt[];
  readonly offerServers: readonly OfferServer[];
  readonly run: NoteRun | null;
  /** Calls that no answer made: of blocks run by hand, and of those that outlived the app. */
  readonly loneCalls: RunCall[];
  readonly approvals: readonly ApprovalAsked[];
  /** The times of the failures in the note that are tried again by themselves. */
  readonly waiting: readonly number[];
  /** The answers of whose tools' changes something can be taken back. */
  readonly restorable: readonly AnswerTimes[];
  /** What of the note tools wrote and is not the person's word yet. */
  readonly toolLines: readonly ToolLine[];
  /** Whether a link of this note leads to something that is there. */
  leads(target: string): boolean;
  /** Without the core nobody knows how far anything is. */
  readonly connected: boolean;
  readonly actions: NoteActions;
}

/** What the extensions ask for; the answers come as changes of the note. */
export interface NoteActions {
  answer(view: EditorView, tag?: string): void;
  /** The answer at a place once more; with `replace` in the place of the one that stands there, with `again` where it failed. */
  askAgain(
    view: EditorView,
    at: number,
    how: {
      tag?: string;
      model?: string;
      trim?: number;
      replace?: boolean;
      beside?: boolean;
      again?: boolean;
    },
  ): void;
  /** Tries the failed answer of this time again by itself, or does not any more. */
  retryLater(retryAt: number, on: boolean): void;
  /** Mod+Enter: the tool block at the cursor, else an answer. */
  answerOrRunBlock(view: EditorView): void;
  /** `call`: what stands on the screen of it; without it, what is written there. */
  runBlock(view: EditorView, at: number, call?: ShownCall): void;
  /** The answer that is under way, else the calls that no answer made; false where nothing is. */
  stop(): boolean;
  stopCall(callId: string): void;
  /** Lines of tools, as they are shown, are the person's from now on. */
  acceptLines(lines: readonly string[]): void;
  openNote(target: string): void;
  openLink(url: string): void;
  /** `item`: the one in the section that is to be shown, such as a provider. */
  openSettings(section: string, item?: string): void;
  copy(text: string): void;
  /** Does something for the person; why it did not work is shown over the note. */
  attempt(work: () => Promise<void>): void;
  /** A new note with this text, to go on in. */
  branch(text: string): void;
  /** Offers to bring back the notes that an answer's tools changed; `calls`: when they were called. */
  restoreBefore(calls: readonly number[]): void;
  /** Paths of all notes. */
  listNotes(): readonly string[];
  /** Where a picture of the vault can be loaded from now. */
  imageAddress(target: string): Promise<string>;
  readonly offers: Offers;
  /** Puts a prompt in place of a range, after asking for what it needs. */
  putPrompt(view: EditorView, offered: OfferedPrompt, range: { from: number; to: number }): void;
  /** Asks the person for something that will stand in place of a range. */
  ask(view: EditorView, form: NoteForm, range: { from: number; to: number } | null): void;
}

const nobody: NoteActions = {
  answer: () => undefined,
  askAgain: () => undefined,
  retryLater: () => undefined,
  answerOrRunBlock: () => undefined,
  runBlock: () => undefined,
  stop: () => false,
  stopCall: () => undefined,
  acceptLines: () => undefined,
  openNote: () => undefined,
  openLink: () => undefined,
  openSettings: () => undefined,
  copy: () => undefined,
  attempt: () => undefined,
  branch: () => undefined,
  restoreBefore: () => undefined,
  listNotes: () => [],
  imageAddress: async () => '',
  offers: {
    prompts: async () => ({ items: [], silent: [] }),
    resources: async () => ({ items: [], silent: [] }),
  },
  putPrompt: () => undefined,
  ask: () => undefined,
};

const emptyContext: NoteContext = {
  path: '',
  tags: { newChat: [], user: [], system: [], assistant: [] },
  servers: [],
  offServers: [],
  tools: [],
  templates: [],
  offerServers: [],
  run: null,
  loneCalls: [],
  approvals: [],
  waiting: [],
  restorable: [],
  toolLines: [],
  leads: () => true,
  connected: true,
  actions: nobody,
};

export const setContext = StateEffect.define<Partial<NoteContext>>();

export const noteContext = StateField.define<NoteContext>({
  create: () => emptyContext,
  update(context, transaction) {
    let next = context;
    for (const effect of transaction.effects) if (effect.is(setContext)) next = { ...next, ...effect.value };
    return next;
  },
});

/** Whether lines have to be looked at again: runs and approvals change often and colour nothing; what may be done with a note does. */
export function colouringChanged(before: EditorState, after: EditorState): boolean {
  const [a, b] = [before.field(noteContext), after.field(noteContext)];
  if (before.readOnly !== after.readOnly) return true;
  return a !== b && (a.tags !== b.tags || a.servers !== b.servers || a.leads !== b.leads);
}
