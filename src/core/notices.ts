import { randomUUID } from 'node:crypto';
import type { Notice } from '../contract/app';
import type { TaskEnded } from './chat';
import { createPicture, type Picture } from './foundation';

/** What happened without anybody asking; stays until the person dismisses it. */
export interface Notices {
  readonly list: Picture<Notice[]>;
  add(level: Notice['level'], title: string, detail: string): void;
  dismiss(id: string): void;
}

const kept = 50;

export function createNotices(now: () => number): Notices {
  const list = createPicture<Notice[]>([]);
  return {
    list,
    add: (level, title, detail) =>
      list.update((notices) =>
        notices.some((notice) => notice.title === title && notice.detail === detail)
          ? notices
          : [...notices, { id: randomUUID(), level, title, detail, at: now() }].slice(-kept),
      ),
    dismiss: (id) => list.update((notices) => notices.filter((notice) => notice.id !== id)),
  };
}

const longestResult = 300;

/** That a call which was begun before the app was closed has ended, and where its result is. */
export function taskNotice({ left, outcome, placedIn }: TaskEnded): Parameters<Notices['add']> {
  const name = `${left.serverName} · ${left.tool}`;
  const level = outcome.status === 'ok' ? 'info' : 'warning';
  const title =
    outcome.status === 'ok' ? 'A call that went on meanwhile is done' : 'A call that went on meanwhile ended';
  if (placedIn !== null) return [level, title, `${name}: its result stands in “${placedIn}”.`];
  const text = outcome.parts.map((part) => (part.kind === 'text' ? part.text : `(${part.kind})`)).join('\n');
  const shown = text.length > longestResult ? `${text.slice(0, longestResult)}…` : text;
  return [level, title, `${name}: ${shown}`];
}
