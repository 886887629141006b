import type { Extension } from '@codemirror/state';
import { type EditorView, ViewPlugin, type ViewUpdate } from '@codemirror/view';
import type { RunPicture } from '../../../../contract/chat';
import { t } from '../../../app/text';
import { duration } from './callout-text';
import { noteContext } from './note-context';
import { button } from './widgets';

/** Running cards on the screen say how far their call is; nothing else is drawn again. */
export const liveCalls: Extension = ViewPlugin.fromClass(
  class {
    private timer: ReturnType<typeof setInterval> | undefined;
    constructor(private readonly view: EditorView) {
      this.refresh(view);
    }
    update(update: ViewUpdate) {
      const context = update.startState.field(noteContext) !== update.state.field(noteContext);
      if (context || update.docChanged || update.viewportChanged) this.refresh(update.view);
    }
    private refresh(view: EditorView) {
      const live = callsOf(view).some(({ state }) => isLive(state));
      if (live && this.timer === undefined) this.timer = setInterval(() => show(this.view), 500);
      if (!live) this.stop();
      // The cards of this update stand in the page only after it.
      queueMicrotask(() => show(view));
    }
    private stop() {
      clearInterval(this.timer);
      this.timer = undefined;
    }
    destroy() {
      this.stop();
    }
  },
);

function callsOf(view: EditorView): RunPicture['calls'] {
  const { run, loneCalls } = view.state.field(noteContext);
  return [...(run?.calls ?? []), ...loneCalls];
}

const isLive = (state: string) => state === 'running' || state === 'asked';

function show(view: EditorView): void {
  const { actions } = view.state.field(noteContext);
  const calls = callsOf(view);
  const taken = new Set<string>();
  for (const place of view.contentDOM.querySelectorAll<HTMLElement>('[data-live]')) {
    const call = calls.find(
      (one) =>
        isLive(one.state) && !taken.has(one.callId) && `${one.server} ${one.tool}` === place.dataset.live,
    );
    if (!call) {
      place.textContent = '';
      continue;
    }
    taken.add(call.callId);
    place.closest('.cm-card')?.classList.toggle('cm-call-asked', call.state === 'asked');
    const { progress } = call;
    const part = progress?.total ? `${Math.round((100 * progress.progress) / progress.total)} %` : '';
    const words =
      call.state === 'asked'
        ? t('call.asked')
        : [progress?.message, part, duration(Date.now() - call.startedAt)].filter(Boolean).join(' · ');
    if (place.firstChild?.textContent !== words) {
      const stop = button(
        'cm-text-button',
        t('call.stopThis'),
        () => actions.stopCall(call.callId),
        t('call.stop'),
      );
      place.replaceChildren(words, ...(call.state === 'running' ? [stop] : []));
    }
  }
}
