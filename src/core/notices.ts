import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Notice, NoticeFacts } from '../contract/app';
import type { TaskEnded } from './chat';
import { createPicture, type FileTrouble, type Picture } from './foundation';
import type { NotesTrouble } from './notes';

/** What happened without anybody asking; stays until the person dismisses it. */
export interface Notices {
  readonly list: Picture<Notice[]>;
  add(facts: NoticeFacts): void;
  dismiss(id: string): void;
}

const kept = 50;

export function createNotices(now: () => number): Notices {
  const list = createPicture<Notice[]>([]);
  return {
    list,
    add: (facts) =>
      list.update((notices) =>
        notices.some((notice) => isDeepStrictEqual(notice.facts, facts))
          ? notices
          : [...notices, { id: randomUUID(), at: now(), facts }].slice(-kept),
      ),
    dismiss: (id) => list.update((notices) => notices.filter((notice) => notice.id !== id)),
  };
}

export type DataPart = Extract<NoticeFacts, { code: 'damaged' }>['what'];

export function fileNotice(what: DataPart, trouble: FileTrouble): NoticeFacts {
  return { code: 'damaged', what, ...trouble, lost: [...trouble.lost] };
}

/** What became of text that has no place in a note, or of the file that it was in. */
export function notesNotice(trouble: NotesTrouble): NoticeFacts {
  switch (trouble.kind) {
    case 'kept':
      return { code: 'text-kept', note: trouble.note, keptAs: trouble.keptAs };
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
