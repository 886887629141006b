import type { Extension } from '@codemirror/state';
import { type EditorView, ViewPlugin, type ViewUpdate } from '@codemirror/view';
import { longTime } from '../../../base/text/format';
import { t } from '../../../base/text/text';
import { noteContext } from '../context/note-context';

/** Counts down at failures that may be tried again later; that they are is the core's work. */
export const retryLater: Extension = ViewPlugin.fromClass(
  class {
    private timer: ReturnType<typeof setInterval> | undefined;
    constructor(private readonly view: EditorView) {
      this.refresh();
    }
    update(update: ViewUpdate) {
      const [before, now] = [update.startState.field(noteContext), update.state.field(noteContext)];
      const isOther = before.waiting !== now.waiting || before.connected !== now.connected;
      if (isOther || update.docChanged || update.viewportChanged || update.focusChanged) this.refresh();
    }
    private refresh() {
      // The cards of this update stand in the page only after it.
      queueMicrotask(() => this.tick());
    }
    private readonly tick = () => {
      if (show(this.view)) this.timer ??= setInterval(this.tick, 500);
      else this.destroy();
    };
    destroy() {
      clearInterval(this.timer);
      this.timer = undefined;
    }
  },
);

/** True as long as a card on the screen has to be looked at again. */
function show(view: EditorView): boolean {
  let isCounting = false;
  const { waiting, connected } = view.state.field(noteContext);
  for (const card of view.contentDOM.querySelectorAll<HTMLElement>('.cm-failure[data-retry-at]')) {
    const retryAt = Number(card.dataset.retryAt);
    const left = retryAt - Date.now();
    const waits = waiting.includes(retryAt);
    isCounting ||= connected && left > 0;
    const timeText = card.querySelector('.cm-retry-time');
    const time = longTime(Math.max(1_000, left));
    const counted = left <= 0 ? '' : t(waits ? 'answer.retriesIn' : 'answer.retryIn', { time });
    const words = connected ? counted : t('note.notConnected');
    if (timeText && timeText.textContent !== words) timeText.textContent = words;
    const later = card.querySelector<HTMLButtonElement>('[data-step="later"]');
    const again = card.querySelector<HTMLButtonElement>('[data-step="again"]');
    if (later) {
      later.disabled = !connected;
      later.hidden = left <= 0;
      later.setAttribute('aria-pressed', `${waits}`);
      const label = t(waits ? 'answer.notLater' : 'answer.later');
      if (later.textContent !== label) later.textContent = later.title = label;
    }
    if (again) {
      again.disabled = !connected;
      again.hidden = left > 0;
    }
  }
  return isCounting;
}
