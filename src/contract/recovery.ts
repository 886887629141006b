import './no-eval';
import * as z from 'zod';
import { call, state } from './define';
import { NotePath } from './ids';
import { dataErrors, noteErrors, recoveryErrors } from './operation-errors';
import { VersionDiff } from './versions';

/** Why a text is here and not simply in its note. */
export const RecoveryReason = z.enum([
  /** Another program deleted the note while there was unsaved text. */
  'deleted',
  /** It was put in the trash with text that could not be saved before. */
  'trashed',
  /** Another note has its name now. */
  'replaced',
  /** A window still held it when its note was no more, or another vault was open. */
  'window',
  /** The file that kept it from a crash was damaged. */
  'damaged',
  /** Another program changed the same lines: both whole texts from before they were joined. */
  'conflict',
  /** It waits for its note: it is put in as soon as that can be opened. */
  'waiting',
  /** An earlier version of the app kept it. */
  'unknown',
]);
export type RecoveryReason = z.infer<typeof RecoveryReason>;

/** `after`: what was inserted after a damaged place. `theirs`: what another program wrote. */
export const RecoveryPart = z.enum(['text', 'theirs', 'after']);
export type RecoveryPart = z.infer<typeof RecoveryPart>;

export const RecoveryId = z.string().regex(/^[0-9a-f]{12}$/);

export const RecoveredText = z.object({
  id: RecoveryId,
  /** Where its note was; null where that is not known. */
  note: NotePath.nullable(),
  /** What a person knows it by. */
  name: z.string(),
  reason: RecoveryReason,
  at: z.number(),
  /** Empty where nothing of a damaged file could be read. */
  parts: z.array(z.object({ part: RecoveryPart, bytes: z.number().int() })),
  /** `another`: a note that only has its name. */
  now: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('there'), path: NotePath }),
    z.object({ kind: z.literal('another'), path: NotePath }),
    z.object({ kind: z.literal('gone') }),
  ]),
  /** It was put in a note, which one, and when. */
  restored: z.object({ at: z.number(), path: NotePath }).nullable(),
  /** The file that it is in, or the folder. */
  place: z.string(),
});
export type RecoveredText = z.infer<typeof RecoveredText>;

export const RecoveryList = z.object({
  /** Of the open vault, and of none that is known; newest first. */
  texts: z.array(RecoveredText),
  /** Of other vaults nothing but how many. */
  others: z.array(z.object({ vault: z.string(), count: z.number().int() })),
});
export type RecoveryList = z.infer<typeof RecoveryList>;

const one = z.object({ id: RecoveryId, part: RecoveryPart });

/** Text that has no place in a note by itself. Each stays until the person discards it, or it stands in its note again. */
export const recoveryOperations = {
  'recovery.list': state(z.object({}), RecoveryList),
  /** `cut`: it is longer than what is given. */
  'recovery.read': call(one, z.object({ text: z.string(), cut: z.boolean() }), recoveryErrors),
  /** What putting it into this note would change there. */
  'recovery.compare': call(one.extend({ path: NotePath }), VersionDiff, [...recoveryErrors, ...noteErrors]),
  /** Through the open note, as one step that can be taken back; see `versions.restore`. */
  'recovery.restore': call(
    one.extend({
      path: NotePath,
      basis: z.string(),
      hunks: z.array(z.number().int().nonnegative()).nullable(),
    }),
    z.object({ saved: z.boolean() }),
    [...recoveryErrors, ...noteErrors, 'versions.changed'],
  ),
  /** As a note of its own, at its old path or the next free one. */
  'recovery.restoreAsNew': call(one, z.object({ path: NotePath }), [...recoveryErrors, ...noteErrors]),
  /** For good. */
  'recovery.discard': call(z.object({ id: RecoveryId }), z.void(), [...recoveryErrors, ...dataErrors]),
} as const;
