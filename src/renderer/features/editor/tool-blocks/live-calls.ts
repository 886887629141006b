import type { Extension } from '@codemirror/state';
import { type EditorView, ViewPlugin, type ViewUpdate } from '@codemirror/view';
import type { RunCall } from '../../../../contract/chat';
import { shortMs } from '../../../base/text/format';
import { isCallLive } from '../../../base/text/run-words';
import { t } from '../../../base/text/text';
import { noteContext } from '../context/note-context';
import { button } from '../drawing/widgets';
import { callPlaces } from '../reading/call-places';

/** Cards on the screen whose call runs or waits say how far it is; nothing else is drawn again. */
const plugin = ViewPlugin.fromClass(
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
      const { connected } = view.state.field(noteContext);
      const counts = connected && callsOf(view).some(isCallLive);
      if (counts && this.timer === undefined) this.timer = setInterval(() => show(this.view), 500);
      if (!counts) this.stop();
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

function callsOf(view: EditorView): readonly RunCall[] {
  const { run, loneCalls } = view.state.field(noteContext);
  return [...(run?.kind === 'answer' ? run.calls : []), ...loneCalls];
}

export const liveCalls: Extension = [callPlaces, plugin];

function show(view: EditorView): void {
  const calls = callsOf(view).filter(isCallLive);
  const places = view.state
    .field(callPlaces)
    .filter(({ callId }) => calls.some((one) => one.callId === callId));
  const callIds = new Set(places.map(({ callId }) => callId));
  for (const card of view.contentDOM.querySelectorAll<HTMLElement>('.cm-call')) {
    const words = card.querySelector<HTMLElement>('.cm-card-facts');
    if (!words) continue;
    const { live } = words.dataset;
    const here = places.length > 0 ? view.posAtDOM(card) : null;
    const placed = places.find(({ at }) => at === here)?.callId;
    const call = calls.find(({ callId, server, tool }) =>
      placed ? callId === placed : !callIds.has(callId) && `${server} ${tool}` === live,
    );
    if (call) callIds.add(call.callId);
    showOn(view, card, words, call);
  }
}

function showOn(view: EditorView, card: HTMLElement, words: HTMLElement, call: RunCall | undefined): void {
  // The actions are hidden then; whoever pressed one stays at the card.
  if (call && card.querySelector('.cm-card-actions')?.contains(document.activeElement))
    card.querySelector<HTMLElement>('.cm-card-toggle')?.focus();
  card.classList.toggle('cm-call-live', call !== undefined);
  card.classList.toggle('cm-call-asked', call?.state === 'asked');
  const { connected } = view.state.field(noteContext);
  showStop(view, card, connected && call?.state === 'running' ? call : undefined);
  if (!call) {
    const { live, facts } = words.dataset;
    if (live !== undefined) words.textContent = '';
    else if (facts !== undefined) words.textContent = facts;
    delete words.dataset.facts;
    return;
  }
  words.dataset.facts ??= words.textContent ?? '';
  const text = connected ? factsOf(call) : t('note.notConnected');
  if (words.textContent !== text) words.textContent = text;
}

function factsOf({ state, progress, startedAt }: RunCall): string {
  if (state === 'asked') return t('call.asked');
  const part = progress?.total
    ? t('number.percent', { n: Math.round((100 * progress.progress) / progress.total) })
    : '';
  return [progress?.noise ? t('call.noise') : progress?.message, part, shortMs(Date.now() - startedAt)]
    .filter(Boolean)
    .join(' · ');
}

/** One button as long as the call runs, so that a press and the focus outlive the counting beside it. */
function showStop(view: EditorView, card: HTMLElement, call: RunCall | undefined): void {
  const stopButton = card.querySelector<HTMLButtonElement>('.cm-card-stop');
  const callId = call?.callId ?? '';
  if (stopButton?.dataset.callId === callId) return;
  if (stopButton?.contains(document.activeElement))
    card.querySelector<HTMLElement>('.cm-card-toggle')?.focus();
  stopButton?.remove();
  if (!call) return;
  const { actions } = view.state.field(noteContext);
  const stop = button(
    'cm-text-button cm-card-stop',
    t('call.stopThis'),
    () => actions.stopCall(callId),
    t('call.stop'),
  );
  stop.dataset.callId = callId;
  card.querySelector('.cm-card-toggle')?.after(stop);
}
