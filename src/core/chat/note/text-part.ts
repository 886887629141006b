import {
  createTextGuard,
  distinctViews,
  type GuardView,
  guardView,
  guardViewBelow,
  type TagNames,
} from '../../../markdown';
import type { AnswerCursor } from './answer-cursor';

/** Text under way, guarded so that it speaks for nobody else. */
export interface TextPart {
  readonly kind: 'text';
  write(words: string): void;
  /** What the guard held back is written; where the text has stood. */
  end(): readonly GuardView[];
}

/** `formerViews`: where earlier text of this answer has stood; others may take back what they have put round it. */
export function beginText(
  cursor: AnswerCursor,
  { tags, formerViews }: { readonly tags: TagNames; readonly formerViews: readonly GuardView[] },
): TextPart {
  const views = distinctViews([...['', ...cursor.ends].map((line) => guardView(line)), ...formerViews]);
  let guard = createTextGuard(tags, cursor.place(), { views });

  /** Guarded, as the note above stands now. */
  function guarded(text: string): string {
    if (cursor.isSettled()) return guard.push(text);
    const { rest, isBegun, fence, views } = guard.stop();
    const before = cursor.ends.length;
    const isAnew = cursor.settle(fence);
    guard = createTextGuard(tags, cursor.place(), {
      goesOn: isBegun && !isAnew,
      views: distinctViews([...views, ...cursor.ends.slice(before).map((line) => guardView(line))]),
    });
    return guard.push(rest + text);
  }

  return {
    kind: 'text',
    write(words) {
      const text = guarded(words);
      cursor.insert(text, guard.fence());
    },
    end() {
      cursor.insert(guarded('') + guard.end());
      return guard.stop().views.map(guardViewBelow);
    },
  };
}
