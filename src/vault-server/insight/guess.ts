import { type EntityType, kinds } from '../entities/model';

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
  superseded: ['replaced', 'obsolete', 'deprecated', 'outdated', 'rejected'],
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

function meant(
  word: string,
  known: readonly string[],
  words: Readonly<Record<string, readonly string[]>>,
): string | null {
  const written = plain(word);
  return (
    known.find((each) => each === written) ??
    known.find((each) => words[each]?.includes(written)) ??
    nearest(written, known, words)
  );
}

/** A beginning, or a slip or two; null where that may be more than one of them. */
function nearest(
  written: string,
  known: readonly string[],
  words: Readonly<Record<string, readonly string[]>>,
): string | null {
  const near = known
    .map((each) => ({
      each,
      slips: Math.min(...[each, ...(words[each] ?? [])].map((other) => slipsTo(written, other))),
    }))
    .sort((a, b) => a.slips - b.slips);
  const [first, second] = near;
  return first && first.slips < Number.POSITIVE_INFINITY && first.slips !== second?.slips ? first.each : null;
}

/** Short words are near to too many others. */
const shortest = { beginning: 4, slip: 5, twoSlips: 8 };

/** The first letter tells “incomplete” from “complete”. */
function slipsTo(written: string, word: string): number {
  const isTooShort = Math.min(written.length, word.length) < shortest.slip;
  const most = written.length < shortest.twoSlips ? 1 : 2;
  const slips =
    isTooShort || written[0] !== word[0] || Math.abs(written.length - word.length) > most
      ? Number.POSITIVE_INFINITY
      : distance(written, word);
  if (slips <= most) return slips;
  return written.length >= shortest.beginning && word.startsWith(written)
    ? most + 1
    : Number.POSITIVE_INFINITY;
}

function distance(a: string, b: string): number {
  let above = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const other = (above[j - 1] ?? 0) + Number(a[i - 1] !== b[j - 1]);
      row.push(Math.min(other, (above[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1));
    }
    above = row;
  }
  return above[b.length] ?? 0;
}

/** The status that a word comes nearest to; null where it comes near none. */
export function statusMeant(type: EntityType, word: string): string | null {
  return meant(word, kinds[type].statuses, statusWords);
}

export function priorityMeant(word: string): string | null {
  return meant(word, Object.keys(priorityWords), priorityWords);
}

/** A day that is written in another way; null for what is none. */
export function dayMeant(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  const parts = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$/.exec(value.trim());
  const text = parts
    ? `${parts[1]}-${parts[2]?.padStart(2, '0')}-${parts[3]?.padStart(2, '0')}`
    : /\d{4}/.test(value) && /[a-z]{3}/i.test(value)
      ? `${value} UTC`
      : '';
  const day = new Date(text);
  if (Number.isNaN(day.getTime())) return null;
  const printed = day.toISOString().slice(0, 10);
  // The 31st of a month that has thirty days.
  return parts && printed !== text ? null : printed;
}

/** “3h”, “about 2.5 hours”; null for a range, or for what is no number. */
export function numberMeant(value: unknown): number | null {
  if (typeof value !== 'string') return null;
  const found = value.replace(',', '.').match(/\d+(?:\.\d+)?/g) ?? [];
  return found.length === 1 ? Number(found[0]) : null;
}
