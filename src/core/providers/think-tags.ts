import type { ModelEvent } from './provider';

const open = '<think>';
const close = '</think>';

/**
 * Tells reasoning from text where a model writes `<think>…</think>` at the start of its answer. A tag may be split over
 * pieces. Elsewhere in an answer the tag is text, such as somebody's code.
 */
export function createThinkTags(): { push(text: string): ModelEvent[]; end(): ModelEvent[] } {
  let state: 'start' | 'thinking' | 'after' | 'text' = 'start';
  let held = '';
  /** Whether any reasoning came: white space around it is left out. */
  let said = false;

  const text = (value: string): ModelEvent[] => (value === '' ? [] : [{ kind: 'text', text: value }]);
  const reasoning = (value: string): ModelEvent[] => {
    if (value === '') return [];
    said = true;
    return [{ kind: 'reasoning', text: value }];
  };

  function push(piece: string): ModelEvent[] {
    if (state === 'text') return text(piece);
    held += piece;
    if (state === 'start') {
      const begun = held.trimStart();
      if (open.startsWith(begun) && begun.length < open.length) return [];
      if (!begun.startsWith(open)) return release();
      state = 'thinking';
      held = begun.slice(open.length);
    }
    const events: ModelEvent[] = [];
    if (state === 'thinking') {
      if (!said) held = held.trimStart();
      const at = held.indexOf(close);
      if (at === -1) {
        const whole = held.slice(0, held.length - longestEndThatStarts(held, close)).trimEnd();
        held = held.slice(whole.length);
        return reasoning(whole);
      }
      events.push(...reasoning(held.slice(0, at).trimEnd()));
      held = held.slice(at + close.length);
      state = 'after';
    }
    held = held.trimStart();
    return held === '' ? events : [...events, ...release()];
  }

  function release(): ModelEvent[] {
    state = 'text';
    const all = held;
    held = '';
    return text(all);
  }

  return {
    push,
    end() {
      if (state === 'thinking') {
        const rest = held;
        held = '';
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
