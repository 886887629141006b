import {
  ArrowRight,
  Eye,
  FilePen,
  FilePlus2,
  type LucideIcon,
  MessageSquareText,
  MessageSquareWarning,
  Pencil,
  Trash2,
  Undo2,
  Wrench,
} from 'lucide-react';
import type { TimelineEntry, VersionAuthor } from '../../../contract/versions';
import { dayAndTime, locale, noteName, shortTime } from '../../base/text/format';
import { t } from '../../base/text/text';
import { visible } from '../../base/text/visible';

function authorName(author: VersionAuthor): string {
  switch (author.kind) {
    case 'you':
      return t('versions.by.you');
    case 'model':
      return visible(author.answer.model);
    case 'tool': {
      const tool = visible(author.tool);
      return author.certain ? tool : t('versions.by.while', { tool });
    }
    case 'disk':
      return t('versions.by.disk');
    case 'app':
      return t('versions.by.app');
  }
}

export function authorsName(by: readonly VersionAuthor[]): string {
  const [first = t('versions.by.nobody'), ...others] = [...new Set(by.map(authorName))];
  return others.length === 0 ? first : t('versions.by.andMore', { first, count: others.length });
}

/** What happened, and where it came from. */
export function whatWords(entry: TimelineEntry): string {
  const [author] = entry.by;
  const request =
    author?.kind === 'tool' && author.answer
      ? ` ${t('versions.inNote', { note: noteName(author.answer.note) })}`
      : '';
  switch (entry.kind) {
    case 'moved':
      return t('versions.what.moved', { from: entry.from });
    case 'gone':
      return t(`versions.what.${entry.how}`) + request;
    case 'text':
      if (author?.kind === 'model') return t(`versions.what.${author.end ?? 'wrote'}`);
      return t(`versions.what.${entry.cause}`) + request;
  }
}

export function iconOf(entry: TimelineEntry): LucideIcon {
  if (entry.kind === 'moved') return ArrowRight;
  if (entry.kind === 'gone') return Trash2;
  if (entry.cause === 'restored') return Undo2;
  const [author] = entry.by;
  switch (author?.kind) {
    case 'you':
      return entry.cause === 'created' ? FilePlus2 : Pencil;
    case 'model':
      return author.end === undefined || author.end === 'answered' ? MessageSquareText : MessageSquareWarning;
    case 'tool':
      return Wrench;
    case 'disk':
    case 'app':
      return FilePen;
    case undefined:
      return Eye;
  }
}

export const kindOf = (entry: TimelineEntry): string => entry.by[0]?.kind ?? 'nobody';

const day = 86_400_000;

/** Today, Yesterday, Saturday 21 November. */
export function dayName(at: number, now: number): string {
  const start = (time: number) => new Date(time).setHours(0, 0, 0, 0);
  const days = Math.round((start(now) - start(at)) / day);
  if (days === 0) return t('versions.today');
  if (days === 1) return t('versions.yesterday');
  const isOld = new Date(at).getFullYear() !== new Date(now).getFullYear();
  return new Date(at).toLocaleDateString(locale(), {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    ...(isOld && { year: 'numeric' }),
  });
}

export const dayOf = (at: number) => new Date(at).setHours(0, 0, 0, 0);

/** 14:05 of today, else with the day. */
export const whenWords = (at: number, now: number) =>
  dayOf(at) === dayOf(now) ? shortTime(at) : dayAndTime(at);
