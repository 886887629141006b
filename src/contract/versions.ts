import './no-eval';
import * as z from 'zod';
import { call, state } from './define';
import { CallId, NotePath, RunId } from './ids';
import { NoteVault } from './notes';
import { dataErrors, noteErrors, versionErrors } from './operation-errors';

export const VersionId = z.string().min(1).max(32);
export type VersionId = z.infer<typeof VersionId>;

/** An answer, as the versions remember it; `note` is where it was written. */
export const VersionAnswer = z.object({
  runId: RunId,
  note: NotePath,
  model: z.string(),
  startedAt: z.number(),
});
export type VersionAnswer = z.infer<typeof VersionAnswer>;

/** Who wrote what is new in a version. */
export const VersionAuthor = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('you') }),
  z.object({
    kind: z.literal('model'),
    answer: VersionAnswer,
    /** Left out: it was not over then, or nothing is known of its end. */
    end: z.enum(['answered', 'failed', 'broke-off', 'stopped']).optional(),
  }),
  z.object({
    kind: z.literal('tool'),
    server: z.string(),
    tool: z.string(),
    callId: CallId,
    /** False: the file changed while the tool ran, and nothing more is known. */
    certain: z.boolean(),
    /** Null: no answer made the call. */
    answer: VersionAnswer.nullable(),
  }),
  /** Another program. */
  z.object({ kind: z.literal('disk') }),
  /** Marks that the app itself sets, such as on calls that were interrupted. */
  z.object({ kind: z.literal('app') }),
]);
export type VersionAuthor = z.infer<typeof VersionAuthor>;

/** `found`: as it was when it was first looked at; nobody knows who wrote it. */
export const VersionCause = z.enum(['found', 'created', 'changed', 'restored']);
export type VersionCause = z.infer<typeof VersionCause>;

const entry = {
  id: VersionId,
  at: z.number(),
  /** Where the note was then. */
  path: NotePath,
  /** Nobody where nobody is known; several where they wrote at the same time. */
  by: z.array(VersionAuthor),
};

export const TimelineEntry = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('text'),
    ...entry,
    cause: VersionCause,
    bytes: z.number().int(),
    /** Lines, against the version before; null where that is not known. */
    added: z.number().int().nullable(),
    removed: z.number().int().nullable(),
  }),
  z.object({ kind: z.literal('moved'), ...entry, from: NotePath }),
  z.object({ kind: z.literal('gone'), ...entry, how: z.enum(['trashed', 'deleted']) }),
]);
export type TimelineEntry = z.infer<typeof TimelineEntry>;

/** Whether versions are kept at present. */
export const VersionsState = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('on') }),
  /** Switched off in the settings; what was kept is still there. */
  z.object({ kind: z.literal('off') }),
  /** Nothing can be kept; it is tried again with every change. */
  z.object({
    kind: z.literal('failing'),
    state: z.enum(['damaged', 'newer', 'busy', 'full', 'read-only', 'no-permission']),
    reason: z.string(),
  }),
]);
export type VersionsState = z.infer<typeof VersionsState>;

export const Timeline = z.object({
  state: VersionsState,
  /** Newest first. */
  entries: z.array(TimelineEntry),
  /** Older ones that are not listed. */
  more: z.number().int(),
});
export type Timeline = z.infer<typeof Timeline>;

/** Lines that differ, with a few around them. `gone` ones are in the first text only, `new` ones in the second only. */
export const DiffHunk = z.object({
  /** Number of its first line in the first text. */
  line: z.number().int(),
  gone: z.number().int(),
  new: z.number().int(),
  /** Of an answer that is taken back: others wrote in these lines since. */
  others: z.boolean().optional(),
  rows: z.array(
    z.object({
      kind: z.enum(['same', 'gone', 'new']),
      line: z.number().int(),
      parts: z.array(z.object({ text: z.string(), changed: z.boolean() })),
    }),
  ),
  /** Rows that are not shown. */
  cut: z.number().int(),
});
export type DiffHunk = z.infer<typeof DiffHunk>;

export const VersionDiff = z.object({
  /** Names both texts. */
  basis: z.string(),
  hunks: z.array(DiffHunk),
  /** Only line ends, or the mark at the beginning of the file, are others. */
  endsOnly: z.boolean(),
});
export type VersionDiff = z.infer<typeof VersionDiff>;

export const DeletedNote = z.object({
  /** Its last version. */
  id: VersionId,
  path: NotePath,
  at: z.number(),
  how: z.enum(['trashed', 'deleted']),
  by: z.array(VersionAuthor),
  bytes: z.number().int(),
});
export type DeletedNote = z.infer<typeof DeletedNote>;

/** An answer whose tools changed notes. */
export const ChangingAnswer = VersionAnswer.extend({
  /** When the last of its changes was seen. */
  lastAt: z.number(),
  notes: z.number().int(),
});
export type ChangingAnswer = z.infer<typeof ChangingAnswer>;

/** What would bring one note back to before an answer; `note` names it from the preview to the restore. */
export const NoteBefore = z.object({
  note: z.string(),
  /** Where it is now, or was last. */
  path: NotePath,
  tools: z.array(z.string()),
  /** False: it changed while the tools ran, and nothing more is known. */
  certain: z.boolean(),
  change: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('text'), diff: VersionDiff }),
    /** It was not there; it goes to the trash. */
    z.object({ kind: z.literal('created') }),
    /** It is gone, and comes back with this many bytes. */
    z.object({ kind: z.literal('deleted'), bytes: z.number().int() }),
    z.object({ kind: z.literal('moved'), back: NotePath, diff: VersionDiff }),
    /** Its text from before was not kept, or cannot be read. */
    z.object({ kind: z.literal('unknown') }),
    z.object({ kind: z.literal('nothing') }),
  ]),
});
export type NoteBefore = z.infer<typeof NoteBefore>;

export const ForgetWhat = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('version'), id: VersionId }),
  /** All versions of it. */
  z.object({ kind: z.literal('note'), path: NotePath }),
  /** Null: of all that are gone. */
  z.object({ kind: z.literal('deleted'), id: VersionId.nullable() }),
  /** Everything that is kept of the open vault. */
  z.object({ kind: z.literal('all') }),
]);
export type ForgetWhat = z.infer<typeof ForgetWhat>;

const version = z.object({ path: NotePath, id: VersionId });
const chosen = z.array(z.number().int().nonnegative());

/** From its beginning to the last change by its tools. */
export const AnswerTimes = z.object({ startedAt: z.number(), lastAt: z.number() });
export type AnswerTimes = z.infer<typeof AnswerTimes>;

/** The versions of notes that are kept on this machine. */
export const versionsOperations = {
  'versions.timeline': state(z.object({ path: NotePath }), Timeline, versionErrors),
  /** Its text as it stood on disk. */
  'versions.read': call(version, z.object({ text: z.string() }), versionErrors),
  /** What is new in it against the version before. */
  'versions.changes': call(version, VersionDiff, versionErrors),
  /** What restoring it would change in the note as it is now. */
  'versions.preview': call(version, VersionDiff, [...versionErrors, ...noteErrors]),
  /**
   * `hunks`: of the preview that `basis` names, by their place in it; null: all of it, line ends included. What changed elsewhere
   * meanwhile stays. Throws `versions.changed` where the same lines did.
   */
  'versions.restore': call(
    version.extend({ basis: z.string(), hunks: chosen.nullable() }),
    z.object({ saved: z.boolean() }),
    [...versionErrors, ...noteErrors, 'versions.changed'],
  ),
  'versions.deleted': state(
    z.object({}),
    z.object({ state: VersionsState, notes: z.array(DeletedNote) }),
    versionErrors,
  ),
  /** Brings a deleted note back, once, whoever asks; the path that it has now. */
  'versions.restoreDeleted': call(z.object({ id: VersionId }), z.object({ path: NotePath }), [
    ...versionErrors,
    ...noteErrors,
  ]),
  /**
   * A note that is gone is at its path again with this text, and its history goes on; one of which nothing is kept is made. Where
   * somebody has brought it back meanwhile, what the text has beyond `base`, the last that the note was known to say, joins it.
   * `vault`: where the note was; in another one nothing is written.
   */
  'versions.writeAgain': call(
    z.object({ path: NotePath, base: z.string(), text: z.string(), vault: NoteVault.optional() }),
    z.object({ path: NotePath }),
    [...versionErrors, ...noteErrors],
  ),
  /** For good: how many texts. */
  'versions.forget': call(z.object({ what: ForgetWhat }), z.object({ forgotten: z.number().int() }), [
    ...versionErrors,
    ...dataErrors,
  ]),
  /** Newest first; of one note, or of all. */
  'versions.answers': call(z.object({ path: NotePath.optional() }), z.array(ChangingAnswer), versionErrors),
  /** When the answers of a note were given of whose tools' changes something can be taken back still. */
  'versions.restorable': state(z.object({ path: NotePath }), z.array(AnswerTimes), versionErrors),
  /** How all notes that an answer's tools changed can be brought back. What others wrote since stays. */
  'versions.beforeAnswer': call(
    z.object({ runId: RunId }),
    z.object({ answer: ChangingAnswer.nullable(), notes: z.array(NoteBefore), state: VersionsState }),
    [...versionErrors, ...noteErrors],
  ),
  /** Each by itself: one that cannot be restored keeps none of the others. */
  'versions.restoreBeforeAnswer': call(
    z.object({
      runId: RunId,
      notes: z.array(z.object({ note: z.string(), basis: z.string().nullable(), hunks: chosen.nullable() })),
    }),
    z.object({
      notes: z.array(z.object({ note: z.string(), path: NotePath, problem: z.string().nullable() })),
    }),
    [...versionErrors, ...noteErrors],
  ),
} as const;
