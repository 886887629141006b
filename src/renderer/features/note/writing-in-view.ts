import type { ChangeDesc } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { isShown, setWriting } from '../editor/turns/writing';

/** For so long after a key, a wheel or a finger a scroll is the person's own. */
const ownScrollMs = 700;

/** Whoever sees the place that is being written keeps seeing it; who reads or writes elsewhere is left in peace. */
export interface WritingInView {
  /** Where it is written now; null: it is not, or nothing has come yet. */
  at(): number | null;
  isFollowed(): boolean;
  show(at: number): void;
  map(changes: ChangeDesc): void;
  /** The person does something of their own. */
  leave(): void;
  end(): void;
  close(): void;
}

export function createWritingInView(view: EditorView, parent: HTMLElement): WritingInView {
  let follows = false;
  let writingAt: number | null = null;

  const look = () => {
    follows = writingAt !== null && isShown(view, writingAt);
  };
  const keepInView = () => {
    if (follows && writingAt !== null) {
      view.dispatch({ effects: EditorView.scrollIntoView(writingAt, { y: 'nearest', yMargin: 72 }) });
    }
  };
  let lastTouch = 0;
  const touch = () => {
    lastTouch = performance.now();
  };
  for (const name of ['wheel', 'touchmove', 'pointerdown', 'keydown']) {
    view.scrollDOM.addEventListener(name, touch, { passive: true });
  }
  // A scroll of the person's own says where they want to be: up is away from it, down may be back to it.
  let lastTop = 0;
  const scrolled = () => {
    const { scrollTop } = view.scrollDOM;
    const up = scrollTop < lastTop;
    lastTop = scrollTop;
    const own = performance.now() - lastTouch < ownScrollMs;
    if (own && up) follows = false;
    else if (own || up) look();
  };
  view.scrollDOM.addEventListener('scroll', scrolled, { passive: true });
  const resized = new ResizeObserver(keepInView);
  resized.observe(parent);

  return {
    at: () => writingAt,
    isFollowed: () => follows,
    show(at) {
      const first = writingAt === null;
      writingAt = at;
      if (first) look();
      const scroll = follows ? [EditorView.scrollIntoView(at, { y: 'nearest', yMargin: 72 })] : [];
      view.dispatch({ effects: [setWriting.of(at), ...scroll] });
    },
    map(changes) {
      if (writingAt !== null) writingAt = changes.mapPos(writingAt, 1);
    },
    leave() {
      follows = false;
    },
    end() {
      writingAt = null;
    },
    close: () => resized.disconnect(),
  };
}
