import './no-eval';
import * as z from 'zod';
import { call, stream } from './define';
import { NotePath } from './ids';
import { Json } from './json';
import { noteErrors } from './operation-errors';

/** One change by one editor: `changes` is a ChangeSet of `@codemirror/state` as JSON. What is made at one moment is ordered by `rebase`. */
export const NoteUpdate = z.object({
  clientId: z.string().min(1).max(64),
  changes: Json,
  /** It is put directly behind what the same hand put there before. */
  goesOn: z.literal(true).optional(),
});
export type NoteUpdate = z.infer<typeof NoteUpdate>;

/** Where text is that is not in its note yet: it outlives the app, or it does not. */
const keptIn = z.enum(['journal', 'memory']).optional();

/** How the session stands to the file on disk. */
export const SaveState = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('saved'), at: z.number() }),
  z.object({ kind: z.literal('unsaved') }),
  /** Another program is just writing the file; it is saved once that has ended. */
  z.object({ kind: z.literal('waiting'), message: z.string(), keptIn }),
  /** It is tried again until it works. `message` says what happened, and where the text is meanwhile. */
  z.object({ kind: z.literal('failed'), code: z.string(), message: z.string(), keptIn }),
  z.object({ kind: z.literal('read-only'), reason: z.string(), keptIn }),
  /**
   * The file is gone from disk; it is written again only if the person says so. `movedTo`: what it was is there now, in a
   * note that is open by itself, so it is not written again. `keptAs`: the file with what a window had not handed on yet.
   */
  z.object({ kind: z.literal('deleted'), movedTo: NotePath.optional(), keptAs: z.string().optional() }),
]);
export type SaveState = z.infer<typeof SaveState>;

/** Names a run of the app. What it told of a session, one that takes the session up from its journal may not know. */
const Epoch = z.string().max(64);

/** Names a file, wherever it is moved; each save makes another one. */
const NoteFile = z.string().max(64);

/** A vault as a window names it: text that it still holds belongs there, whichever vault is open by then. */
export const NoteVault = z.object({ root: z.string(), id: z.string().nullable() });
export type NoteVault = z.infer<typeof NoteVault>;

/** A state of a session, as a follower saw it. */
export const SeenState = z.object({
  sessionId: z.string(),
  version: z.number().int().nonnegative(),
  /** Left out: it is not doubted. */
  epoch: Epoch.optional(),
  /** Which file the note was: where its session is over, it is looked for by that. */
  file: NoteFile.optional(),
  /** Whose note it is. In another vault nothing is joined, whatever the notes there say. */
  vault: NoteVault.optional(),
});
export type SeenState = z.infer<typeof SeenState>;

export const NoteEvent = z.discriminatedUnion('kind', [
  /** The whole text, with `\n` line ends: first on a new session, and whenever the follower is too far behind. */
  z.object({
    kind: z.literal('opened'),
    sessionId: z.string(),
    version: z.number().int().nonnegative(),
    epoch: Epoch,
    text: z.string(),
    save: SaveState,
    readOnly: z.boolean(),
    vault: NoteVault.optional(),
    file: NoteFile.optional(),
    /** The follower's session was of a note that is no more, or elsewhere: what it has not handed on does not belong here. */
    another: z.literal(true).optional(),
    /** What the follower's session took after what it saw, and before it ended; left out: nobody knows. */
    former: z.array(NoteUpdate).optional(),
    /** The follower saw more than its session still had when it was taken up: what came after this version is lost. */
    lostAfter: z.number().int().nonnegative().optional(),
  }),
  /** First instead of `opened` when the follower's session still stands: only what it missed. */
  z.object({
    kind: z.literal('rejoined'),
    sessionId: z.string(),
    version: z.number().int().nonnegative(),
    epoch: Epoch,
    updates: z.array(NoteUpdate),
    save: SaveState,
    readOnly: z.boolean(),
    vault: NoteVault.optional(),
    file: NoteFile.optional(),
  }),
  z.object({ kind: z.literal('updates'), updates: z.array(NoteUpdate) }),
  z.object({ kind: z.literal('save'), save: SaveState, file: NoteFile.optional() }),
  /** The disk's text and ours overlapped; both were kept, marked at these places. */
  z.object({
    kind: z.literal('conflict'),
    what: z.enum(['cut-short', 'both', 'deleted', 'replaced']),
    message: z.string(),
  }),
  /**
   * Another vault is about to be opened: the follower takes no more keys, hands over what it holds, and ends the stream.
   * It is waited for, for a while.
   */
  z.object({ kind: z.literal('leaving') }),
  /** The file may be written now, or may not any more. */
  z.object({ kind: z.literal('access'), readOnly: z.boolean() }),
  /** `byOthers`: another program moved the file, and nobody asked for it here. */
  z.object({ kind: z.literal('renamed'), path: NotePath, byOthers: z.boolean().default(false) }),
]);
export type NoteEvent = z.infer<typeof NoteEvent>;

/** Of another program, by the file. */
export const diskHand = 'disk';
/** The hand of a restore begins with this. */
export const restoringHand = 'restore-';
/** That of a person, in one window. */
export const windowHand = 'window-';
/** Before a window's hand where it takes back, or brings again, what another hand wrote. */
export const undoingHand = 'undo-';

const passing = [diskHand, windowHand, 'recovery-', 'hook-'];
/** All that such a hand writes (an answer, a call, a restore) is one step of undo, in every window. */
export const isStep = (hand: string) => !passing.some((one) => hand.startsWith(one));

export const notesOperations = {
  /** Follows an open note. A follower that lost its wire says what it last saw and gets the rest. */
  'notes.follow': stream(
    z.object({ path: NotePath, seen: SeenState.nullable().default(null) }),
    NoteEvent,
    noteErrors,
  ),
  /**
   * Changes made at `version`; the core rebases them over what came between. Acknowledged only once they are
   * in the journal. `note.session-gone` asks the caller to follow again and carry its changes over.
   */
  'notes.push': call(
    SeenState.extend({ path: NotePath, updates: z.array(NoteUpdate).min(1) }),
    z.object({ version: z.number().int().nonnegative() }),
    noteErrors,
  ),
  /** Takes unsaved text of a note that is no more, as a file of its own; the person is told. */
  'notes.keep': call(
    z.object({ path: NotePath, text: z.string(), vault: NoteVault.optional() }),
    z.object({ keptAs: z.string().nullable() }),
    noteErrors,
  ),
  /** Resolves when the text is on disk. */
  'notes.save': call(z.object({ path: NotePath }), SaveState, noteErrors),
} as const;
