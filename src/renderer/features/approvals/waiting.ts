import { useCallback } from 'react';
import { create } from 'zustand';
import { isAppError } from '../../../contract/errors';
import { argumentsFault } from '../../../contract/json';
import type { ApprovalAsked, Decision } from '../../../contract/tools';
import { useCore, usePicture } from '../../app/core';
import { t } from '../../app/text';

const everything = {};
const none: ApprovalAsked[] = [];

/** Oldest first. */
export function useWaiting(): ApprovalAsked[] {
  return (usePicture('tools.approvals', everything) ?? none).toSorted((a, b) => a.askedAt - b.askedAt);
}

interface Drafts {
  /** Arguments as edited, by approval; they hold for the keyboard too. */
  readonly texts: ReadonlyMap<string, string>;
  readonly problems: ReadonlyMap<string, string>;
  write(id: string, text: string | null): void;
  complain(id: string, problem: string | null): void;
}

const changed = <V>(map: ReadonlyMap<string, V>, key: string, value: V | null) => {
  const next = new Map(map);
  if (value === null) next.delete(key);
  else next.set(key, value);
  return next;
};

export const useDrafts = create<Drafts>((set) => ({
  texts: new Map(),
  problems: new Map(),
  write: (id, text) =>
    set((now) => ({ texts: changed(now.texts, id, text), problems: changed(now.problems, id, null) })),
  complain: (id, problem) => set((now) => ({ problems: changed(now.problems, id, problem) })),
}));

type Remember = Extract<Decision, { kind: 'allow' }>['remember'];

/** The arguments as they are to be sent: `null` where the draft is not a JSON object. */
export function readDraft(text: string): Record<string, never> | null {
  try {
    const value: unknown = JSON.parse(text);
    return argumentsFault(value) === null ? (value as Record<string, never>) : null;
  } catch {
    return null;
  }
}

export function useDecide() {
  const core = useCore();
  const decide = useCallback(
    async (asked: ApprovalAsked, decision: Decision) => {
      try {
        await core.call('tools.decide', { id: asked.id, decision });
        useDrafts.getState().write(asked.id, null);
      } catch (error) {
        const problem = isAppError(error) ? error.message : t('ask.notArrived');
        useDrafts.getState().complain(asked.id, problem);
      }
    },
    [core],
  );
  const allow = useCallback(
    (asked: ApprovalAsked, remember: Remember) => {
      const draft = useDrafts.getState().texts.get(asked.id);
      if (draft === undefined) return void decide(asked, { kind: 'allow', remember });
      const edited = readDraft(draft);
      if (edited) void decide(asked, { kind: 'allow', remember, arguments: edited });
      else useDrafts.getState().complain(asked.id, t('ask.notObject'));
    },
    [decide],
  );
  return { decide, allow };
}
