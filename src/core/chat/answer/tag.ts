import { isSameTag, roleOfTag } from '../../../contract/tag-meanings';
import { isWithinLine } from '../../../markdown';
import type { Log } from '../../foundation';
import type { NoteSession } from '../../notes';
import type { SettingsStore } from '../../settings';
import type { RunRequest } from '../note/run-request';
import type { Question } from '../question/question';

/** What is said under it is a model's, whoever is configured later. */
export function rememberTag(
  answers: string,
  { settings, log }: { readonly settings: SettingsStore; readonly log: Log },
): void {
  const { formerTags, tags } = settings.current.get();
  const [first = answers] = answers.split('/', 1);
  const tag = roleOfTag(first, tags) === null ? first : answers;
  if (formerTags.some((one) => isSameTag(one, tag))) return;
  try {
    settings.change({ formerTags: [...formerTags, tag] });
  } catch (error) {
    log.warn('tag not remembered', { tag, error });
  }
}

/** The answer's tag as it was written. */
export interface AnswerTag {
  /** With what stands around it. */
  readonly written: string;
  /** Where its `#` is. */
  readonly from: number;
  readonly end: number;
  /** Whether it came with the answer; else it waited there already. */
  readonly isOwn: boolean;
}

/** `#Tag : ` below the question, or the blank behind a tag that waits already. */
export function writeTag(run: {
  readonly session: NoteSession;
  readonly runId: string;
  readonly question: Question;
  readonly request: RunRequest;
  readonly from: number;
  readonly to: number;
}): AnswerTag {
  const { session, runId, question } = run;
  const { place, answerer } = question;
  const moved = place.tag
    ? giveLine(session, runId, run.from, place.tag.name)
    : blanksBehind(session.slice(run.to, run.to + 200), 0);
  const [from, to] = [run.from + moved, run.to + moved];
  const written = place.tag ? place.tag.completion : `${place.closing}\n\n#${answerer.tag} : `;
  const { gap, tail } = partingBehind(session, to, {
    isRoom: run.request.room === true,
    isWaiting: place.tag !== null,
  });
  session.edit(runId, { from, to: to + gap, insert: written + tail });
  const renamed = place.tag ? renameTag(session, runId, from, [place.tag.name, answerer.tag]) : 0;
  const end = from + renamed + written.length;
  const head = session.slice(0, end).lastIndexOf('#');
  return { written, from: head, end, isOwn: place.tag === null };
}

/**
 * What parts the answer from what follows; nothing at the end of the note. The blank that stands there is written anew: so
 * what somebody types before it at that moment, at the end of the question, stays in the question.
 */
function partingBehind(
  session: NoteSession,
  to: number,
  { isRoom, isWaiting }: { readonly isRoom: boolean; readonly isWaiting: boolean },
): { gap: number; tail: string } {
  const rest = /^(?:[ \t]*\n){0,2}[ \t]*/.exec(session.slice(to, to + 200))?.[0] ?? '';
  const isLast =
    session.slice(to, to + rest.length + 1).trim() === '' && to + rest.length >= session.text().length;
  const lineBreaks = rest.split('\n').length - 1;
  const parting = isLast ? '' : '\n'.repeat(Math.max(0, 2 - lineBreaks));
  const blank = rest.slice(0, 1);
  // Behind a tag that waits it is the blank of that.
  const isOfTag = isWaiting && /[ \t]/.test(blank);
  const stays = isOfTag || (isRoom && isLast && rest === '\n') ? '' : blank;
  return { gap: blank.length, tail: parting + stays };
}

/** What ends a line may be the blank before a word that is just being typed; it stays where it is. */
export function blanksBehind(text: string, at: number): number {
  const [blanks = ''] = /^[ \t]*/.exec(text.slice(at, at + 200)) ?? [];
  return blanks.length;
}

/**
 * A tag that waits within a line gets one of its own, as any answer's: there it is a speaker's also to whom it is unknown.
 * By how much what is behind it moved.
 */
function giveLine(session: NoteSession, runId: string, place: number, tag: string): number {
  const above = session.slice(0, place);
  const at = above.lastIndexOf(`#${tag}`);
  if (at === -1 || !isWithinLine(above, at)) return 0;
  const from = above.slice(0, at).replace(/(?<![ \t])[ \t]+$/, '').length;
  session.edit(runId, { from, to: at, insert: '\n\n' });
  return 2 - (at - from);
}

/** Where somebody else answers under the tag that stands before `place`, it becomes theirs; by how much longer it is. */
export function renameTag(
  session: NoteSession,
  runId: string,
  place: number,
  [from, to]: readonly [from: string, to: string],
): number {
  const at = session.slice(0, place).lastIndexOf(`#${from}`);
  if (at === -1 || from.split('/')[0]?.toLowerCase() === to.toLowerCase()) return 0;
  session.edit(runId, { from: at + 1, to: at + 1 + from.length, insert: to });
  return to.length - from.length;
}
