import { ChangeSet, Text } from '@codemirror/state';
import * as z from 'zod';
import { Json } from '../../../../contract/json';
import { NoteVault, type SeenState } from '../../../../contract/notes';
import { isOfAnotherHand } from '../../editor/undo/note-undo';
import { createSinceSaved, type SinceSaved } from './since-saved';
import type { UnconfirmedChange } from './unconfirmed';

/** What an editor had seen of a note, and what was typed into it since, in the order in which it was. */
export interface HeldText extends Readonly<SeenState> {
  readonly clientId: string;
  readonly confirmed: string;
  readonly changes: readonly {
    readonly changes: Json;
    readonly ofAnotherHand: boolean;
    readonly goesOn?: boolean | undefined;
  }[];
  /** So many of them may have reached the core. */
  readonly sent: number;
  /** The text that was in the file, and what led from it to `confirmed`; left out where that is the same. */
  readonly sinceSaved?: {
    readonly text: string;
    readonly updates: readonly { readonly changes: Json; readonly isOwn: boolean }[];
  };
}

/** As it was written down by a page that may be gone. */
export const HeldTextShape = z.object({
  clientId: z.string(),
  sessionId: z.string(),
  version: z.number(),
  confirmed: z.string(),
  changes: z.array(z.object({ changes: Json, ofAnotherHand: z.boolean(), goesOn: z.boolean().optional() })),
  sent: z.number(),
  /** Something was asked there and waited for these words. */
  isAsking: z.boolean().optional(),
  epoch: z.string().optional(),
  file: z.string().optional(),
  vault: NoteVault.optional(),
  sinceSaved: z
    .object({ text: z.string(), updates: z.array(z.object({ changes: Json, isOwn: z.boolean() })) })
    .optional(),
});

export function heldText(of: {
  readonly clientId: string;
  readonly seen: SeenState;
  readonly confirmed: Text;
  readonly unconfirmed: readonly UnconfirmedChange[];
  readonly sent: number;
  readonly sinceSaved: SinceSaved;
}): HeldText {
  const { updates, text } = of.sinceSaved;
  return {
    clientId: of.clientId,
    ...of.seen,
    confirmed: of.confirmed.toString(),
    changes: of.unconfirmed.map(({ changes, origin, goesOn = false }) => ({
      changes: changes.toJSON() as Json,
      goesOn,
      ofAnotherHand: origin.annotation(isOfAnotherHand) === true,
    })),
    sent: of.sent,
    ...(updates.length > 0 && {
      sinceSaved: {
        text: text.toString(),
        updates: updates.map(({ changes, isOwn }) => ({ changes: changes.toJSON() as Json, isOwn })),
      },
    }),
  };
}

/** Undefined: nothing was seen since the file had what is confirmed. */
export function sinceSavedOf({ sinceSaved, version }: HeldText): SinceSaved | undefined {
  if (!sinceSaved) return undefined;
  const { text, updates } = sinceSaved;
  const later = updates.map(({ changes, isOwn }) => ({ changes: ChangeSet.fromJSON(changes), isOwn }));
  return createSinceSaved(version - later.length, Text.of(text.split('\n')), later);
}
