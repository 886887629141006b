import { distance } from 'fastest-levenshtein';
import { type EntityType, kinds } from '../entity/model/model';

/** Words that people write for statuses, in the order of what they are tried for. */
const statusWords: Readonly<Record<string, readonly string[]>> = {
  completed: ['done', 'complete', 'finished', 'closed', 'resolved', 'shipped', 'erledigt', '完成', '已完成'],
  in_progress: ['doing', 'wip', 'active', 'started', 'ongoing', 'in_work', 'progress', '进行中'],
  blocked: ['waiting', 'on_hold', 'stuck', 'paused', 'hold', '阻塞'],
  not_started: ['todo', 'to_do', 'open', 'backlog', 'planned', 'new', 'next', '未开始', '待办'],
  decided: ['accepted', 'approved', 'agreed', 'done', 'closed', 'final', '已决定'],
  pending: ['proposed', 'open', 'todo', 'draft', 'under_discussion', '待定'],
  approved: ['final', 'published', 'done', 'accepted', 'ready'],
  review: ['in_review', 'reviewing', 'for_review'],
  draft: ['wip', 'new', 'in_progress', 'writing', 'open', 'todo', '草稿'],
  superseded: ['replaced', 'obsolete', 'deprecated', 'outdated'],
};

const priorityWords: Readonly<Record<string, readonly string[]>> = {
  critical: ['urgent', 'highest', 'p0', 'blocker', 'very_high', '紧急'],
  high: ['important', 'p1', 'major', '高'],
  medium: ['normal', 'mid', 'middle', 'p2', 'default', '中'],
  low: ['minor', 'p3', 'p4', 'lowest', 'someday', '低'],
};

/** As a status or priority is written: one case, one joint. */
const plain = (word: string) =>
  word
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '_')
    .replace(/^_|_$/g, '');

/** Whoever writes one of these with a word does not say that it is so. */
const doubts = /[?？~≈±]/;

function candidateFor(
  word: string,
  candidates: readonly string[],
  words: Readonly<Record<string, readonly string[]>>,
): string | null {
  if (doubts.test(word)) return null;
  const plainWord = plain(word);
  return (
    candidates.find((each) => each === plainWord) ??
    candidates.find((each) => words[each]?.includes(plainWord)) ??
    nearest(plainWord, candidates, words)
  );
}

/** A beginning, or a slip or two; null where that may be more than one of them. */
function nearest(
  typed: string,
  candidates: readonly string[],
  words: Readonly<Record<string, readonly string[]>>,
): string | null {
  const near = candidates
    .map((each) => ({
      each,
      slips: Math.min(...[each, ...(words[each] ?? [])].map((other) => slipsTo(typed, other))),
    }))
    .sort((a, b) => a.slips - b.slips);
  const [first, second] = near;
  return first && first.slips < Number.POSITIVE_INFINITY && first.slips !== second?.slips ? first.each : null;
}

/** Short words are near to too many others. */
const shortest = { beginning: 4, slip: 5, twoSlips: 8 };

/** The first letter tells “incomplete” from “complete”. */
function slipsTo(typed: string, word: string): number {
  const isTooShort = Math.min(typed.length, word.length) < shortest.slip;
  const most = typed.length < shortest.twoSlips ? 1 : 2;
  const slips =
    isTooShort || typed[0] !== word[0] || Math.abs(typed.length - word.length) > most
      ? Number.POSITIVE_INFINITY
      : distance(typed, word);
  if (slips <= most) return slips;
  return typed.length >= shortest.beginning && word.startsWith(typed) ? most + 1 : Number.POSITIVE_INFINITY;
}

/** The status that a word comes nearest to; null where it comes near none. */
export function statusMeant(type: EntityType, word: string): string | null {
  return candidateFor(word, kinds[type].statuses, statusWords);
}

export function priorityMeant(word: string): string | null {
  return candidateFor(word, Object.keys(priorityWords), priorityWords);
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const month = `(${months.join('|')})[a-z]*\\.?`;
const dayInMonth = '(\\d{1,2})(?:st|nd|rd|th)?';
/** The whole of it, so that “before”, “or” and a month without a day are none. */
const inWords = new RegExp(
  `^(?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*,?\\s+)?(?:${dayInMonth}\\.?\\s+${month},?|${month}\\s+${dayInMonth},?)\\s+(\\d{4})(?:,?\\s+\\d{1,2}:\\d{2}(?::\\d{2})?)?$`,
  'i',
);

/** A day that is written in another way; null for what is none. */
export function dayMeant(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  const trimmed = value.trim();
  const [, y, m, d] = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$/.exec(trimmed) ?? [];
  const [, first, name, other, second, year] = inWords.exec(trimmed) ?? [];
  const number = months.indexOf((name ?? other ?? '').slice(0, 3).toLowerCase()) + 1;
  const parts = [y ?? year ?? '', m ?? String(number), d ?? first ?? second ?? ''];
  const text = parts.map((part) => part.padStart(2, '0')).join('-');
  const day = new Date(text);
  if (Number.isNaN(day.getTime())) return null;
  // The 31st of a month that has thirty days.
  return day.toISOString().slice(0, 10) === text ? text : null;
}

const perUnit: Readonly<Record<string, number>> = {
  ...Object.fromEntries(
    ['', 'h', 'hr', 'hrs', 'hour', 'hours', 'std', 'stunde', 'stunden', '小时'].map((unit) => [unit, 1]),
  ),
  ...Object.fromEntries(['min', 'mins', 'minute', 'minutes', 'minuten', '分钟'].map((unit) => [unit, 60])),
};

/** “3h”, “about 2.5 hours”, “30 min”; null for all else: nobody knows how many hours a day has. */
export function hoursMeant(value: unknown): number | null {
  if (typeof value !== 'string') return null;
  const pattern = /^(?:(?:about|approx\.?|ca\.?|etwa|~|约)\s*)?(\d+(?:[.,]\d{1,2})?)\s*(\p{L}*)\.?$/iu;
  const [, number, unit = ''] = pattern.exec(value.trim()) ?? [];
  const units = perUnit[unit.toLowerCase()];
  if (number === undefined || units === undefined) return null;
  const hours = Number(number.replace(',', '.')) / units;
  // Twenty minutes are no number that anybody would write.
  return units === 1 || Number.isInteger(hours * 100) ? hours : null;
}
