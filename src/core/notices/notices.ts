import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Notice, NoticeFacts } from '../../contract/app';
import { serverCondition } from '../../contract/server-state';
import type { TaskEnded } from '../chat';
import { createObservable, type FileTrouble, type Observable } from '../foundation';
import type { Mcp } from '../mcp';
import type { NotesTrouble } from '../notes';

/** What happened without anybody asking; stays until the person dismisses it. */
export interface Notices {
  readonly list: Observable<Notice[]>;
  add(facts: NoticeFacts): void;
  dismiss(id: string): void;
  /** Takes back what does not hold any more. */
  withdraw(isOver: (facts: NoticeFacts) => boolean): void;
}

const mostNotices = 50;

export function createNotices(now: () => number): Notices {
  const list = createObservable<Notice[]>([]);
  /** Questions that were answered with no: what is wanted is left out, and not asked about again while the app runs. */
  const declined = new Set<string>();
  return {
    list,
    add: (facts) =>
      list.update((notices) =>
        notices.some((notice) => isDeepStrictEqual(notice.facts, facts)) ||
        declined.has(JSON.stringify(facts))
          ? notices
          : [...notices, { id: randomUUID(), at: now(), facts }].slice(-mostNotices),
      ),
    withdraw: (isOver) =>
      list.update((notices) =>
        notices.some(({ facts }) => isOver(facts)) ? notices.filter(({ facts }) => !isOver(facts)) : notices,
      ),
    dismiss(id) {
      const facts = list.get().find((notice) => notice.id === id)?.facts;
      if (facts?.code === 'note-wants') declined.add(JSON.stringify(facts));
      list.update((notices) => notices.filter((notice) => notice.id !== id));
    },
  };
}

/** Whether it says nothing to somebody who has left the vault that it is about. */
export function isOfVault(facts: NoticeFacts): boolean {
  switch (facts.code) {
    case 'hooks-file':
    case 'hook-failed':
    case 'not-run-again':
    case 'not-retried':
    case 'note-wants':
    case 'words-kept':
    case 'hard-links':
    case 'server-renamed':
    case 'server-given-up':
      return true;
    case 'call-ended':
      return facts.note !== null;
    case 'damaged':
    case 'text-kept':
    case 'conflicts-dropped':
    case 'no-journals':
    case 'data-folder':
    case 'fault':
      return false;
  }
}

export type DataPart = Extract<NoticeFacts, { code: 'damaged' }>['what'];

export function fileNotice(what: DataPart, trouble: FileTrouble): NoticeFacts {
  return { code: 'damaged', what, ...trouble, lost: [...trouble.lost] };
}

/** Tells of servers that were given up after failures, once each time. Returns what stops it. */
export function noticeServersGivenUp(mcp: Pick<Mcp, 'servers'>, notices: Notices): () => void {
  let givenUp = new Set<string>();
  return mcp.servers.onChange(({ servers }) => {
    const now = servers.filter(({ state }) => serverCondition(state) === 'given-up');
    for (const { id, name, state } of now) {
      if (givenUp.has(id)) continue;
      if (!('reason' in state)) continue;
      notices.add({ code: 'server-given-up', serverId: id, server: name, reason: state.reason });
    }
    givenUp = new Set(now.map(({ id }) => id));
    notices.withdraw((facts) => facts.code === 'server-given-up' && !givenUp.has(facts.serverId));
  });
}

/** Whether it tells of what lies in this folder. */
export const isAbout = (facts: NoticeFacts, place: string): boolean =>
  (facts.code === 'text-kept' || facts.code === 'damaged') && facts.keptAs?.startsWith(place) === true;

/**
 * A program that goes on writing what somebody types in, and a note that is no more with texts that several windows held of it,
 * are told of once.
 */
export function addNotesNotice(notices: Notices, trouble: NotesTrouble): void {
  if (trouble.kind === 'kept')
    notices.withdraw(
      (facts) => facts.code === 'text-kept' && facts.reason === trouble.reason && facts.note === trouble.note,
    );
  notices.add(notesNotice(trouble));
}

/** What became of text that has no place in a note, or of the file that it was in. */
function notesNotice(trouble: NotesTrouble): NoticeFacts {
  switch (trouble.kind) {
    case 'kept':
      return { code: 'text-kept', note: trouble.note, reason: trouble.reason, keptAs: trouble.keptAs };
    case 'conflicts-dropped':
      return { code: 'conflicts-dropped', count: trouble.count };
    case 'no-journals':
      return { code: 'no-journals', reason: trouble.reason };
    case 'journal': {
      const { file, reason, setAside } = trouble;
      return fileNotice('journal', { file, state: 'damaged', reason, keptAs: setAside, lost: [] });
    }
  }
}

const longestResult = 300;

/** That a call which was begun before the app was closed has ended, and where its result is. */
export function taskNotice({ left, outcome, placedIn }: TaskEnded): NoticeFacts {
  const text = outcome.parts.map((part) => (part.kind === 'text' ? part.text : `(${part.kind})`)).join('\n');
  return {
    code: 'call-ended',
    server: left.serverName,
    tool: left.tool,
    ok: outcome.status === 'ok',
    note: placedIn,
    text: text.length > longestResult ? `${text.slice(0, longestResult)}…` : text,
  };
}
