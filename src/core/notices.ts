import { randomUUID } from 'node:crypto';
import type { Notice } from '../contract/app';
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
