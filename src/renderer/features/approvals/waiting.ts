import { useCallback, useEffect } from 'react';
import { create } from 'zustand';
import { isAppError } from '../../../contract/errors';
import { argumentsFault } from '../../../contract/json';
import type { ApprovalAsked, Decision } from '../../../contract/tools';
import { useCore, useCoreState } from '../../base/core/core';
import { askBeforeLosing } from '../../base/core/unsent';
import { useTypedInCalls } from '../../base/keyboard/escape';
import { failureText } from '../../base/text/error-words';
import { t } from '../../base/text/text';
import { readJson, Unread } from '../../base/text/typed-json';
import { printArguments } from './asked-words';

const everything = {};
const none: ApprovalAsked[] = [];

/** Oldest first. */
export function useWaiting(): ApprovalAsked[] {
  return (useCoreState('tools.approvals', everything) ?? none).toSorted((a, b) => a.askedAt - b.askedAt);
}

/** Lets go of what was typed for a call that waits no more, and says in which notes something is. */
export function useDraftsOfWaiting(): void {
  const approvals = useCoreState('tools.approvals', everything);
  const { texts, reasons } = useDrafts();
  useEffect(() => {
    if (approvals) useDrafts.getState().keepOnly(new Set(approvals.map(({ id }) => id)));
  }, [approvals]);
  useEffect(() => {
    const typed = (approvals ?? none).filter((one) => isTyped(one, texts.get(one.id), reasons.get(one.id)));
    const paths = new Set(typed.flatMap(({ path }) => path ?? []));
    useTypedInCalls.setState({ paths });
  }, [approvals, texts, reasons]);
}

const isTyped = (approval: ApprovalAsked, text: string | undefined, reason = ''): boolean =>
  (text !== undefined && text !== printArguments(approval.arguments)) || reason.trim() !== '';

interface Drafts {
  /** Arguments as edited, by approval; they hold for the keyboard too. */
  readonly texts: ReadonlyMap<string, string>;
  /** Why not, as typed so far, by approval; empty where the box stands there and nothing is typed. */
  readonly reasons: ReadonlyMap<string, string>;
  readonly problems: ReadonlyMap<string, string>;
  /** Those with an answer on its way to the core. */
  readonly answering: ReadonlySet<string>;
  refuse(id: string, reason: string | null): void;
  /** What is not asked any more needs no draft. */
  keepOnly(ids: ReadonlySet<string>): void;
  write(id: string, text: string | null): void;
  complain(id: string, problem: string | null): void;
  answer(id: string, isOnItsWay: boolean): void;
}

const changed = <V>(map: ReadonlyMap<string, V>, key: string, value: V | null) => {
  const next = new Map(map);
  if (value === null) next.delete(key);
  else next.set(key, value);
  return next;
};

const within = <V>(map: ReadonlyMap<string, V>, keys: ReadonlySet<string>) =>
  new Map([...map].filter(([key]) => keys.has(key)));

export const useDrafts = create<Drafts>((set) => ({
  texts: new Map(),
  reasons: new Map(),
  problems: new Map(),
  answering: new Set(),
  refuse: (id, reason) => set((now) => ({ reasons: changed(now.reasons, id, reason) })),
  keepOnly: (ids) =>
    set(({ texts, reasons, problems, answering }) => ({
      texts: within(texts, ids),
      reasons: within(reasons, ids),
      problems: within(problems, ids),
      answering: new Set([...answering].filter((id) => ids.has(id))),
    })),
  write: (id, text) =>
    set((now) => ({ texts: changed(now.texts, id, text), problems: changed(now.problems, id, null) })),
  complain: (id, problem) => set((now) => ({ problems: changed(now.problems, id, problem) })),
  answer: (id, isOnItsWay) =>
    set(({ answering, problems }) =>
      isOnItsWay
        ? { answering: new Set([...answering, id]), problems: changed(problems, id, null) }
        : { answering: new Set([...answering].filter((other) => other !== id)) },
    ),
}));

/** Whether a reason against it is being typed. */
export const isRefusing = (id: string): boolean => useDrafts.getState().reasons.has(id);

// Arguments may hold secrets: they are nowhere but here, and the window asks before it goes over them.
askBeforeLosing(() => {
  const { texts, reasons } = useDrafts.getState();
  return texts.size > 0 || [...reasons.values()].some((reason) => reason.trim() !== '');
});

type Remember = Extract<Decision, { kind: 'allow' }>['remember'];

/** The arguments as they are to be sent, or why the draft is none. */
export function readDraft(text: string): Record<string, never> | Unread {
  const value = readJson(text, argumentsFault) ?? new Unread(text, t('ask.notObject'));
  return value as Record<string, never> | Unread;
}

export function useDecide() {
  const core = useCore();
  const decide = useCallback(
    async (approval: ApprovalAsked, decision: Decision) => {
      const drafts = useDrafts.getState();
      if (drafts.answering.has(approval.id)) return;
      drafts.answer(approval.id, true);
      try {
        // Once it has arrived the question goes, and what is kept of it here with it.
        await core.call('tools.decide', { id: approval.id, decision });
      } catch (error) {
        const problem = isAppError(error) ? failureText(error) : t('ask.notArrived');
        drafts.answer(approval.id, false);
        drafts.complain(approval.id, problem);
      }
    },
    [core],
  );
  const allow = useCallback(
    (approval: ApprovalAsked, remember: Remember) => {
      const draft = useDrafts.getState().texts.get(approval.id);
      if (draft === undefined) return void decide(approval, { kind: 'allow', remember });
      const edited = readDraft(draft);
      if (edited instanceof Unread) useDrafts.getState().complain(approval.id, edited.problem);
      else void decide(approval, { kind: 'allow', remember, arguments: edited });
    },
    [decide],
  );
  /** With the reason that is typed, if there is one. */
  const deny = useCallback(
    (approval: ApprovalAsked) =>
      void decide(approval, { kind: 'deny', reason: useDrafts.getState().reasons.get(approval.id) ?? '' }),
    [decide],
  );
  return { decide, allow, deny };
}
