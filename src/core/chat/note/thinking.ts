import { createTextGuard, guardView, printThinking, type TagNames } from '../../../markdown';
import type { Clock } from '../../foundation';
import type { AnswerCursor } from './answer-cursor';

/** Reasoning under way, in a callout that is written anew when it ends. */
export interface ThinkingPart {
  readonly kind: 'reasoning';
  /** What of these words can be written by now, which is not written with that. */
  push(words: string): string;
  /** Looks where it goes on. `waiting`: what of the words is not written yet. */
  goOn(waiting: string): void;
  write(words: string): void;
  /** `unwritten`: how it ends, where that does not stand there yet. */
  end(unwritten: string): void;
}

const head = '> [!thinking]-\n> ';

export function beginThinking(
  cursor: AnswerCursor,
  { tags, clock }: { readonly tags: TagNames; readonly clock: Clock },
): ThinkingPart {
  const views = [{ ...guardView(), isQuoted: true }];
  /** Outside of its callout it would be text. */
  const guard = createTextGuard(tags, '\n\n', { goesOn: true, views });
  let stretch = cursor.openStretch(head);
  const since = clock.now();
  let all = '';

  function end(unwritten: string, whole: string, heldBack = ''): void {
    const seconds = Math.max(0, clock.now() - since) / 1000;
    const remainingText = stretch.remaining();
    const words = ((remainingText === null ? whole : thoughtIn(remainingText) + unwritten) + heldBack).trim();
    stretch.replace(words === '' ? '' : printThinking(words, seconds));
    stretch.release();
  }

  return {
    kind: 'reasoning',
    push(words) {
      const ready = guard.push(words);
      all += ready;
      return ready;
    },
    /** In a callout of its own, where others have broken the one that it was in or taken it away. */
    goOn(waiting) {
      if (cursor.isSettled()) return;
      const callout = stretch.text();
      const isWhole = callout?.startsWith(head) && callout.split('\n').every((line) => line.startsWith('>'));
      const { closing, tag } = cursor.wants(false);
      if (isWhole && closing === '' && tag === '') {
        cursor.accept();
        return;
      }
      // Ended first: what was typed into it comes to stand here.
      end('', all.slice(0, -waiting.length || undefined));
      cursor.settle('');
      stretch = cursor.openStretch(head);
      all = waiting;
    },
    write(words) {
      const lines = words.replaceAll('\n', '\n> ');
      cursor.insert(lines);
      stretch.grew(lines, cursor.tail());
    },
    end: (unwritten) => end(unwritten, all, guard.end()),
  };
}

/** The words of a callout that somebody has taken some of; what is not certainly of its head is a word. */
export function thoughtIn(callout: string): string {
  const head = '> [!thinking]-';
  const [first = '', ...rest] = callout.split('\n');
  const isHead = rest.length > 0 && /[[!\]]/.test(first) && isLeftOf(first, head);
  let shared = 0;
  while (shared < head.length && first[shared] === head[shared]) shared++;
  const begun = isHead ? [] : [shared > head.indexOf('[') ? first.slice(shared) : first];
  return [...begun, ...rest].map((line) => line.replace(/^> ?/, '')).join('\n');
}

/** Whether all of it stands in the other, in that order. */
function isLeftOf(part: string, whole: string): boolean {
  let at = 0;
  for (const char of whole) if (part[at] === char) at++;
  return at === part.length;
}
