import type { RunCall } from '../../../contract/chat';
import { isAppError } from '../../../contract/errors';
import { failedWith } from '../../../contract/failed-with';
import { roleOfNote } from '../../../contract/note-roles';
import { connection } from '../../base/core/connected';
import type { Core } from '../../base/core/core';
import { isMissed } from '../../base/core/missed';
import { useLayout } from '../../base/layout/layout';
import { linkTargets, useVaultEntries } from '../../base/layout/vault-entries';
import { failureText } from '../../base/text/error-words';
import { t } from '../../base/text/text';
import type { NoteActions } from '../editor/context/note-context';
import { useNoteForm } from '../editor/context/note-form';
import { createOffers } from '../editor/context/offers';
import type { SettledIn } from '../editor/context/open-notes';
import { resolveNote } from '../editor/context/resolve-note';
import { setFold } from '../editor/drawing/fold-mode';
import { holdRange } from '../editor/insert/held-range';
import { editedCall } from '../editor/preview/folds';
import { beginAt } from '../editor/reading/blocks';
import { callBegun, callNamed } from '../editor/reading/call-places';
import { cardOfCall, runnableAt, toolBlockAt } from '../editor/reading/tool-block';
import { askedPlace, isNextQuestion } from '../editor/turns/asked-place';
import { beginTurn } from '../editor/turns/turn-at-end';

/** From asking until the core has taken that up, or refused it. */
export interface Awaiting {
  /** There is a line break behind the question, for the answer alone. */
  readonly hasRoom: boolean;
  settle(isOnItsWay: boolean): void;
}

export interface NoteActionsParts {
  readonly core: Core;
  /** Where the note is now. */
  readonly path: string;
  /** The run that writes into this note now. */
  liveRun(): string | null;
  /** The calls in this note that no answer made and that have not ended. */
  openCalls(): RunCall[];
  answerer(): string | null;
  /** From now on this one answers in the note. */
  choose(tag: string): void;
  /** Does it, with where that place is then, as soon as the answer that is being written has ended. */
  onEnd(at: number, work: (at: number) => void): void;
  /** Nothing is done when it ends. */
  stayEnded(): void;
  /** Where `at` stands, and at which version, once all that was typed has reached the core. */
  placed(at: number): Promise<{ at: number; version: number }>;
  /** The person asks for an answer to what stands at a place, and waits there. */
  onAsked(at: number): Awaiting;
  /** The person asks once more for the answer at a place. */
  onAskedAgain(at: number): Awaiting;
  onProblem(message: string | null, settledIn?: SettledIn | null): void;
}

const doublePressMs = 500;

/** What a person can do in a note, an entry each: a table, and as long as it has entries. */
export function createNoteActions(parts: NoteActionsParts): NoteActions {
  const { core } = parts;
  let isBranching = false;

  async function attempt<T>(work: () => Promise<T>): Promise<T | null> {
    parts.onProblem(null);
    try {
      return await work();
    } catch (error) {
      if (!isAppError(error, 'request.cancelled')) {
        parts.onProblem(isAppError(error) ? failureText(error) : t('note.failed'), settledIn(error));
      }
      return null;
    }
  }

  /** What costs or does something begins now or not at all: later nobody may want it any more. */
  async function begin<T>(work: () => Promise<T>): Promise<T | null> {
    if (connection.isThere) return attempt(work);
    parts.onProblem(t('connection.askLater'), 'connection');
    return null;
  }

  function askAt(at: number, tag: string | undefined): void {
    const awaiting = connection.isThere ? parts.onAsked(at) : null;
    const chosen = tag ?? parts.answerer();
    const ask = async () => {
      const place = await parts.placed(at);
      const how = { ...(chosen && { tag: chosen }), ...(awaiting?.hasRoom && { room: true }) };
      await core.call('chat.run', { path: parts.path, ...place, ...how });
      return true;
    };
    void begin(ask).then((result) => awaiting?.settle(result === true));
  }

  function askNext(at: number, tag: string | undefined): void {
    parts.onEnd(at, (at) => askAt(at, tag));
    parts.onProblem(t('note.askedNext'), 'answer');
  }

  const actions: NoteActions = {
    answer(view, tag) {
      if (parts.liveRun() !== null) {
        if (isNextQuestion(view.state)) askNext(view.state.selection.main.head, tag);
        return;
      }
      const refusal = noPlaceToAsk(parts.path);
      if (refusal !== null) return parts.onProblem(refusal);
      const at = askedPlace(view.state);
      if (at === null) {
        // What a person wrote for themselves is nobody's question; there is a place for one at the end.
        if (tag !== undefined) parts.choose(tag);
        beginTurn(view);
        return;
      }
      askAt(at, tag);
    },
    askAgain(view, at, how) {
      if (parts.liveRun() !== null || view.state.readOnly) return;
      const awaiting = connection.isThere && !how.beside ? parts.onAskedAgain(at) : null;
      const ask = async () => {
        await core.call('chat.run', { path: parts.path, ...(await parts.placed(at)), ...how });
        return true;
      };
      void begin(ask).then((result) => awaiting?.settle(result === true));
    },
    retryLater(retryAt, on) {
      void begin(() => core.call('chat.retryLater', { path: parts.path, retryAt, on }));
    },
    answerOrRunBlock(view) {
      const { head } = view.state.selection.main;
      if (toolBlockAt(view.state, head) ?? editedCall(view.state)) return actions.runBlock(view, head);
      actions.answer(view);
    },
    runBlock(view, at, pressed) {
      const block = pressed ?? runnableAt(view.state, at);
      if (!block) return parts.onProblem(t('call.none'));
      const edited = editedCall(view.state);
      if (edited && edited.from <= at && at <= edited.to) {
        view.dispatch({ effects: setFold.of({ at: edited.from, mode: 'open' }) });
      }
      const call = beginAt(view.state, at);
      const card = cardOfCall(view.state, at);
      const press = {};
      if (card !== null && connection.isThere) view.dispatch({ effects: callBegun.of({ at: card, press }) });
      void begin(async () => {
        const { callId } = await core.call('chat.runBlock', {
          path: parts.path,
          ...(await parts.placed(call)),
          call: { server: block.server, tool: block.tool, arguments: block.arguments },
        });
        view.dispatch({ effects: callNamed.of({ press, callId }) });
      });
    },
    stop() {
      const runId = parts.liveRun();
      if (runId !== null) {
        parts.stayEnded();
        void attempt(() => core.call('chat.stop', { runId }));
        return true;
      }
      const calls = parts.openCalls();
      for (const { callId } of calls) actions.stopCall(callId);
      return calls.length > 0;
    },
    stopCall: (callId) => void attempt(() => core.call('chat.stopCall', { callId })),
    acceptLines: (lines) =>
      void attempt(() => core.call('chat.acceptLines', { path: parts.path, lines: [...lines] })),
    openNote: (target) => useLayout.getState().openNote(resolveNote(linkTargets, target, parts.path)),
    openLink: (url) => useLayout.getState().askToOpen(url),
    openSettings: (section, item) =>
      useLayout.getState().show({ kind: 'settings', section, ...(item !== undefined && { item }) }),
    copy: (text) => void attempt(() => navigator.clipboard.writeText(text)),
    attempt: (work) => void attempt(work),
    branch(text) {
      // Who presses twice wants one.
      if (isBranching) return;
      isBranching = true;
      const making = () =>
        core.call('vault.create', { path: branchPath(parts.path), text }, { label: t('reply.branch') });
      const rest = new Promise((resolve) => setTimeout(resolve, doublePressMs));
      void Promise.all([attempt(() => useLayout.getState().writeInMade(making())), rest]).then(() => {
        isBranching = false;
      });
    },
    restoreBefore(calls) {
      void attempt(async () => {
        const answers = await core.call('versions.answers', { path: parts.path });
        // A call's time in the note is a whole second.
        const first = Math.min(...calls);
        const answer = answers.find(({ startedAt, lastAt }) => startedAt <= first + 999 && lastAt >= first);
        useLayout.getState().show({ kind: 'before-answer', runId: answer?.runId ?? 'unknown' });
      });
    },
    listNotes: notePaths,
    offers: createOffers(core),
    ask(view, form, range) {
      if (view.state.readOnly) return;
      view.dispatch({ effects: holdRange.of(range) });
      useNoteForm.getState().show(parts.path, form);
    },
    putPrompt(view, offered, range) {
      const { from, to } = view.state.selection.main;
      const selection = range.from === from && range.to === to ? view.state.sliceDoc(from, to) : '';
      actions.ask(view, { kind: 'prompt', offered, selection }, range);
    },
    imageAddress: (target) => core.call('vault.imageAddress', { target, from: parts.path }, { waits: true }),
  };
  return actions;
}

function settledIn(error: unknown): SettledIn | null {
  if (isMissed(error)) return 'connection';
  if (failedWith('chat.run', error, 'chat.nothing-to-answer')) return 'writing';
  if (!failedWith('chat.run', error, 'chat.no-provider')) return null;
  return error.details.waitsForTrust ? 'agents' : 'providers';
}

/** Why nothing is asked in this note; null: it is a place for conversations. */
export function noPlaceToAsk(path: string): string | null {
  const role = roleOfNote(path);
  if (!role) return null;
  return t(role.kind === 'agent' ? 'note.isAgent' : 'note.isPrompt', { name: role.name });
}

function branchPath(path: string): string {
  const stem = path.replace(/\.md$/i, '');
  const paths = new Set(notePaths());
  let free = `${stem} ${t('reply.branchName')}.md`;
  for (let n = 2; paths.has(free); n++) free = `${stem} ${t('reply.branchName')} ${n}.md`;
  return free;
}

function notePaths(): string[] {
  const entries = useVaultEntries.getState().entries?.values() ?? [];
  return [...entries].filter(({ kind }) => kind === 'note').map(({ path }) => path);
}
