import type { ModelEvent } from './provider';

const open = '<think>';
const close = '</think>';

/**
 * Tells reasoning from text where a model writes `<think>…</think>` at the start of its answer. A tag may be split over
 * pieces. Elsewhere in an answer the tag is text, such as somebody's code.
 */
export function createThinkTags(): { push(text: string): ModelEvent[]; end(): ModelEvent[] } {
  let state: 'start' | 'thinking' | 'after' | 'text' = 'start';
  let pending = '';
  /** Whether any reasoning came: white space around it is left out. */
  let hasText = false;

  const text = (value: string): ModelEvent[] => (value === '' ? [] : [{ kind: 'text', text: value }]);
  const reasoning = (value: string): ModelEvent[] => {
    if (value === '') return [];
    hasText = true;
    return [{ kind: 'reasoning', text: value }];
  };

  function push(piece: string): ModelEvent[] {
    if (state === 'text') return text(piece);
    pending += piece;
    if (state === 'start') {
      const begun = pending.trimStart();
      if (open.startsWith(begun) && begun.length < open.length) return [];
      if (!begun.startsWith(open)) return release();
      state = 'thinking';
      pending = begun.slice(open.length);
    }
    const events: ModelEvent[] = [];
    if (state === 'thinking') {
      if (!hasText) pending = pending.trimStart();
      const at = pending.indexOf(close);
      if (at === -1) {
        const whole = pending.slice(0, pending.length - longestEndThatStarts(pending, close)).trimEnd();
        pending = pending.slice(whole.length);
        return reasoning(whole);
      }
      events.push(...reasoning(pending.slice(0, at).trimEnd()));
      pending = pending.slice(at + close.length);
      state = 'after';
    }
    pending = pending.trimStart();
    return pending === '' ? events : [...events, ...release()];
  }

  function release(): ModelEvent[] {
    state = 'text';
    const all = pending;
    pending = '';
    return text(all);
  }

  return {
    push,
    end() {
      if (state === 'thinking') {
        const rest = pending;
        pending = '';
        return reasoning(rest);
      }
      return release();
    },
  };
}

function longestEndThatStarts(text: string, tag: string): number {
  for (let length = Math.min(tag.length - 1, text.length); length > 0; length--) {
    if (tag.startsWith(text.slice(-length))) return length;
  }
  return 0;
}
