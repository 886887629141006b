import { useEffect, useRef } from 'react';
import type { EntityDetail } from '../../../contract/projects';
import { useForgetsMissed } from '../../base/core/missed';
import { useEscapedBox } from '../../base/keyboard/use-escaped-box';
import { useLayout } from '../../base/layout/layout';
import { failureText } from '../../base/text/error-words';
import { type FieldValue, parsed, printed } from './FieldControl';
import { type Draft, draftKey, useDrafts } from './use-drafts';

/** Throws where it was refused; otherwise the revision that it made. */
export type SaveField = (field: string, value: FieldValue, revision: string) => Promise<string>;

interface FieldDraftParts {
  readonly id: string;
  readonly field: EntityDetail['fields'][number];
  revision(): string;
  readonly onSave: SaveField;
}

/** What is typed into a field of an entity: when it is sent, what became of it, and whether others changed the field meanwhile. */
export function useFieldDraft({ id, field, revision, onSave }: FieldDraftParts) {
  const vault = useLayout((layout) => layout.vault);
  const key = draftKey(vault, id, field.name);
  const draft = useDrafts((drafts) => drafts.all[key]) ?? null;
  const { put } = useDrafts.getState();
  const { value } = field;
  const sending = useRef<string | null>(null);
  const touched = useRef<string | null>(null);
  const ownValues =
    draft === null ? [] : [printed(draft.value), printed(parsed(field, draft.text)), sending.current];
  const isOvertaken = draft !== null && !ownValues.includes(printed(value));
  /** Typed before the window was loaded anew, or in one that is gone. */
  const isRestored = draft !== null && touched.current !== key;
  const latest = useRef(revision);
  latest.current = revision;
  // What was wrong with the note then may be mended by now.
  const isStale = draft?.refusedAt !== undefined && draft.refusedAt !== revision();
  const why = isStale ? null : (draft?.why ?? null);

  // From then on it is a draft that the person may save.
  const failed = useForgetsMissed(() => {
    const now = useDrafts.getState().all[key];
    touched.current = null;
    if (now) put(key, { ...now, why: null });
  });

  async function send(sent: Draft, since: string): Promise<void> {
    const next = parsed(field, sent.text);
    sending.current = printed(next);
    try {
      const after = await onSave(field.name, next, since);
      const now = useDrafts.getState().all[key];
      put(key, now && now.text !== sent.text ? { ...now, value: next, revision: after } : null);
    } catch (error) {
      const now = useDrafts.getState().all[key];
      failed(error);
      if (now) put(key, { ...now, why: failureText(error), refusedAt: latest.current() });
    } finally {
      sending.current = null;
    }
  }

  function leave(): void {
    const now = useDrafts.getState().all[key];
    if (!now) return;
    if (printed(parsed(field, now.text)) === printed(value)) put(key, null);
    // Where others were faster the person says which of the two holds, and whether what nobody has touched is still meant.
    else if (touched.current === key && printed(now.value) === printed(value) && now.why === null)
      void send(now, now.revision);
  }

  const atEnd = useRef(leave);
  atEnd.current = leave;
  useEffect(() => () => atEnd.current(), []);
  // What is left by Escape stays a draft.
  useEscapedBox(() => {
    touched.current = null;
  });

  function type(text: string | null): void {
    touched.current = key;
    const began = draft ?? { value, revision: revision() };
    put(key, text === null || text === printed(value) ? null : { ...began, text, why: null });
  }

  const discard = () => put(key, null);
  return { draft, isOvertaken, isRestored, why, send, discard, type, leave };
}
