import { createDrafts, useTakenUp } from '../../base/drafts/kept-drafts';
import type { FieldValue } from './FieldControl';

/** What is typed into a field and not in the note yet. */
export interface Draft {
  readonly text: string;
  /** The field, and its note, when the typing began. */
  readonly value: FieldValue;
  readonly revision: string;
  /** Why it could not be saved. */
  readonly why: string | null;
  /** The note in which it could not; left out: any. */
  readonly refusedAt?: string | undefined;
}

/** Outlives the panel and the page: what was refused after it was closed is there when it is opened again. */
export const useDrafts = createDrafts('details', (stored): Draft | null => {
  const { text, value, revision, why, refusedAt } = stored as Partial<Draft>;
  const isDraft = typeof text === 'string' && value !== undefined && typeof revision === 'string';
  return isDraft ? { text, value, revision, why: why ?? null, refusedAt } : null;
});

export const draftKey = (vault: string | null, id: string, field: string) => `${vault} ${id} ${field}`;

/** What was typed for an entity: the fields and their drafts, also of windows that are gone. */
export function useTypedFor(vault: string | null, id: string): readonly (readonly [string, Draft])[] {
  const start = draftKey(vault, id, '');
  useTakenUp(useDrafts, { start });
  const all = useDrafts((drafts) => drafts.all);
  return Object.entries(all).flatMap(([key, draft]) =>
    key.startsWith(start) ? [[key.slice(start.length), draft] as const] : [],
  );
}
