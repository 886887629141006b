import type { EditorState, Extension } from '@codemirror/state';
import { type EditorView, ViewPlugin, type ViewUpdate } from '@codemirror/view';
import { readFailureFacts } from '../../../../markdown';
import { longTime } from '../../../app/format';
import { isLive } from '../../../app/run-words';
import { t } from '../../../app/text';
import { blockAround, calloutType } from './blocks';
import { askAgain, retryAtOf } from './failure-steps';
import { noteContext } from './note-context';
import { waitFor, waiting } from './retry-wish';

function failureAt(state: EditorState, at: number): string | null {
  const block = blockAround(state, at);
  const isFailure = block?.from === at && calloutType(block.value.head) === 'failure';
  return isFailure ? state.sliceDoc(block.from, block.to) : null;
}

/** Counts down at failures that may be tried again later, and tries again where the person has asked for it. */
const countdown = ViewPlugin.fromClass(
  class {
    private timer: ReturnType<typeof setInterval> | undefined;
    constructor(private readonly view: EditorView) {
      this.refresh();
    }
    update(update: ViewUpdate) {
      const asked = update.startState.field(waiting) !== update.state.field(waiting);
      if (asked || update.docChanged || update.viewportChanged || update.focusChanged) this.refresh();
    }
    private refresh() {
      // The cards of this update stand in the page only after it.
      queueMicrotask(() => this.tick());
    }
    private readonly tick = () => {
      const { view } = this;
      const isCounting = show(view);
      const isWaiting = view.state.field(waiting, false)?.length;
      if (isWaiting) tryAgain(view);
      if (isCounting || isWaiting) this.timer ??= setInterval(this.tick, 500);
      else this.destroy();
    };
    destroy() {
      clearInterval(this.timer);
      this.timer = undefined;
    }
  },
);

export const retryLater: Extension = [waiting, countdown];

function tryAgain(view: EditorView): void {
  const { run } = view.state.field(noteContext);
  for (const at of view.state.field(waiting)) {
    const source = failureAt(view.state, at);
    if (source === null) view.dispatch({ effects: waitFor.of({ at, on: false }) });
    else if (!isLive(run) && retryAtOf(readFailureFacts(source), Date.now()) === null) {
      view.dispatch({ effects: waitFor.of({ at, on: false }) });
      askAgain(view, at);
    }
  }
}

/** True as long as a card on the screen has to be looked at again. */
function show(view: EditorView): boolean {
  let isCounting = false;
  for (const card of view.contentDOM.querySelectorAll<HTMLElement>('.cm-failure[data-retry-at]')) {
    const left = Number(card.dataset.retryAt) - Date.now();
    const waits = view.state.field(waiting).includes(view.posAtDOM(card));
    isCounting ||= left > 0;
    const time = card.querySelector('.cm-retry-time');
    const words =
      left <= 0
        ? ''
        : t(waits ? 'answer.retriesIn' : 'answer.retryIn', { time: longTime(Math.max(1_000, left)) });
    if (time && time.textContent !== words) time.textContent = words;
    const later = card.querySelector<HTMLButtonElement>('[data-step="later"]');
    const again = card.querySelector<HTMLButtonElement>('[data-step="again"]');
    if (later) {
      later.hidden = left <= 0;
      later.setAttribute('aria-pressed', `${waits}`);
      const label = t(waits ? 'answer.notLater' : 'answer.later');
      if (later.textContent !== label) later.textContent = later.title = label;
    }
    if (again) again.hidden = left > 0;
  }
  return isCounting;
}
