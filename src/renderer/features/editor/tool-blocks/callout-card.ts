import type { Text } from '@codemirror/state';
import { type EditorView, WidgetType } from '@codemirror/view';
import { type CalloutText, type ResultState, readCallout, type ToolBlock } from '../../../../markdown';
import { shortMs } from '../../../base/text/format';
import { t } from '../../../base/text/text';
import { visible } from '../../../base/text/visible';
import { noteContext } from '../context/note-context';
import {
  partText,
  readShown,
  type ShownCall,
  type ShownCallout,
  shownArguments,
  shownName,
} from '../context/shown-call';
import { setFold } from '../drawing/fold-mode';
import { type IconName, icon } from '../drawing/icons';
import { loadImage } from '../drawing/vault-image';
import { button, element, notShown } from '../drawing/widgets';
import { briefArguments } from './brief-arguments';
import { contentOf, failureCard } from './failure-card';
import { editAgain, runAgain } from './run-again';
import { toggleView } from './view-buttons';

const stateIcons: Readonly<Record<ResultState, IconName | null>> = {
  running: null,
  ok: 'check',
  error: 'x',
  cancelled: 'ban',
  denied: 'hand',
  interrupted: 'unplug',
};

/** A tool call, a thought or a failure on one line, with its inside below once opened. */
export class CalloutCard extends WidgetType {
  constructor(
    private readonly type: string,
    private readonly source: Text,
    /** The block that the card may hold the result of. */
    private readonly above: ToolBlock | null,
    private readonly open: boolean,
  ) {
    super();
  }
  override eq(other: CalloutCard): boolean {
    return other.open === this.open && other.source.eq(this.source) && isSame(other.above, this.above);
  }
  override get estimatedHeight(): number {
    return this.open ? 160 : 40;
  }
  override ignoreEvent(): boolean {
    return true;
  }
  toDOM(view: EditorView): HTMLElement {
    // The editor counts heights without margins, so the room around a card is padding.
    return element('div', 'cm-card-place', this.card(view));
  }

  private card(view: EditorView): HTMLElement {
    const source = this.source.toString();
    if (this.type === 'tool') {
      const content = readShown(source, this.above);
      return content ? this.toolCall(view, content) : this.foreign(view, source);
    }
    const callout = readCallout(source) ?? { type: this.type, title: '', items: [] };
    return this.type === 'failure' ? this.failure(view, callout) : this.thought(view, callout);
  }

  private toolCall(view: EditorView, content: ShownCallout): HTMLElement {
    const { call, own, result } = content;
    // Of arguments that cannot be read nothing is the result.
    const unread = call !== null && call.error !== null && result.state !== 'running';
    const state = unread ? 'error' : result.state;
    const card = element('div', `cm-card cm-call cm-call-${state}`);
    const shape = stateIcons[state];
    const status = shape ? icon(shape) : element('span', 'cm-spinner');
    const facts = [
      unread ? t('call.unread') : shortMs(result.ms),
      result.cached && t('call.cached'),
      result.truncated && t('call.shortened'),
    ];
    const words = element('span', 'cm-card-facts', facts.filter(Boolean).join(' · '));
    if (state === 'running') words.dataset.live = `${call?.server} ${call?.tool}`;
    else if (state !== 'ok' && !unread)
      words.prepend(`${t(`call.state.${state}`)}${words.textContent ? ' · ' : ''}`);
    const names = call
      ? [
          ...(call.server === '' ? [] : [element('span', 'cm-card-server', shownName(call.server))]),
          element('span', 'cm-card-tool', shownName(call.tool)),
        ]
      : [element('span', 'cm-card-server', t('call.result'))];
    const head = this.head(view, card, [
      element('span', `cm-card-state`, status),
      ...names,
      element('span', 'cm-card-brief', call && own ? briefArguments(call.arguments) : ''),
      words,
    ]);
    if (call && !unread && (state === 'ok' || state === 'error')) head.append(viewButton(view, card, call));
    head.append(this.callActions(view, card, content));
    card.append(head);
    if (this.open) card.append(callBody(view, content));
    return card;
  }

  private callActions(view: EditorView, card: HTMLElement, content: ShownCallout): HTMLElement {
    const at = () => view.posAtDOM(card);
    const { actions } = view.state.field(noteContext);
    const { call, result } = content;
    const results = result.parts.map(partText).join('\n\n');
    const row = element('span', 'cm-card-actions');
    if (result.state === 'running') return row;
    row.append(button('cm-card-action', t('call.copy'), () => actions.copy(results), icon('copy')));
    if (call) {
      row.append(
        button('cm-card-action', t('call.again'), () => runAgain(view, at(), call), icon('rerun')),
        button('cm-card-action', t('call.editAgain'), () => editAgain(view, at(), content), icon('pencil')),
      );
    }
    row.append(this.sourceButton(view, card));
    return row;
  }

  private sourceButton(view: EditorView, card: HTMLElement): HTMLElement {
    return button('cm-card-action', t('call.source'), () => this.set(view, card, 'source'), icon('code'));
  }

  /** Passes for a call, and could be read as more than one, or as none: it stands there as it is written. */
  private foreign(view: EditorView, source: string): HTMLElement {
    const card = element('div', 'cm-card cm-foreign');
    const label = element('span', 'cm-foreign-said', icon('alert'), t('call.foreign'));
    const actions = element('span', 'cm-card-actions', this.sourceButton(view, card));
    card.append(
      element('div', 'cm-card-head', label, actions),
      element(
        'div',
        'cm-card-body',
        element('div', 'cm-card-text', t('call.foreignText')),
        element('pre', '', visible(source)),
      ),
    );
    return card;
  }

  private thought(view: EditorView, callout: CalloutText): HTMLElement {
    const card = element('div', 'cm-card cm-thought');
    const label = callout.title ? t('thought.for', { time: callout.title }) : t('thought.now');
    card.append(
      this.head(view, card, [
        element('span', 'cm-card-state', icon('brain')),
        element('span', 'cm-card-server', label),
      ]),
    );
    if (this.open) {
      card.append(element('div', 'cm-card-text', contentOf(callout)));
    }
    return card;
  }

  private failure(view: EditorView, callout: CalloutText): HTMLElement {
    const card = failureCard(view, this.source.toString(), callout, () => this.set(view, card, 'source'));
    return card;
  }

  private head(view: EditorView, card: HTMLElement, parts: HTMLElement[]): HTMLElement {
    const act = () => this.set(view, card, this.open ? 'closed' : 'open');
    const label = t(this.open ? 'call.close' : 'call.open');
    const toggle = button('cm-card-toggle', label, act, icon('chevron'), ...parts);
    toggle.setAttribute('aria-expanded', `${this.open}`);
    return element('div', 'cm-card-head', toggle);
  }

  private set(view: EditorView, card: HTMLElement, mode: 'open' | 'closed' | 'source'): void {
    const at = view.posAtDOM(card);
    const cursor = mode === 'source' ? { selection: { anchor: at } } : {};
    view.dispatch({ effects: setFold.of({ at, mode }), ...cursor });
    if (mode === 'source') view.focus();
    else if (!view.hasFocus) toggleAt(view, at)?.focus({ preventScroll: true });
  }
}

/** Wherever it stands. */
const isSame = (a: ToolBlock | null, b: ToolBlock | null) =>
  JSON.stringify({ ...a, from: 0, to: 0 }) === JSON.stringify({ ...b, from: 0, to: 0 });

/** The header of the card that is drawn anew, for whoever was at the one that is gone. */
function toggleAt(view: EditorView, at: number): HTMLElement | null {
  const cards = [...view.contentDOM.querySelectorAll<HTMLElement>('.cm-card-place')];
  return cards.find((card) => view.posAtDOM(card) === at)?.querySelector('.cm-card-toggle') ?? null;
}

/** Hidden until a server says that it brings a view for such calls. */
function viewButton(view: EditorView, card: HTMLElement, { server, tool }: ShownCall): HTMLElement {
  const toggle = () => toggleView(view, view.posAtDOM(card));
  const toggleButton = button('cm-text-button cm-card-view', t('call.toggleView'), toggle, t('call.view'));
  Object.assign(toggleButton.dataset, { server, tool });
  toggleButton.hidden = true;
  return toggleButton;
}

function callBody(view: EditorView, { call, own, result, others }: ShownCallout): HTMLElement {
  const body = element('div', 'cm-card-body');
  const argumentText = call && own ? shownArguments(call) : '';
  if (argumentText !== '') body.append(part(t('call.arguments'), argumentText));
  const parts = result.parts.filter((one) => partText(one).trim() !== '');
  for (const one of parts) {
    const isAttached = one.kind === 'picture' || one.kind === 'link';
    const text = partText(one);
    body.append(part(t(isAttached ? 'call.attached' : 'call.result'), isAttached ? text : readable(text)));
    if (one.kind === 'picture') body.append(picture(view, one.target));
  }
  if (parts.length === 0)
    body.append(part(t('call.result'), t(result.state === 'running' ? 'call.noneYet' : 'call.nothing')));
  if (others.trim() !== '') body.append(part(t('call.others'), visible(others)));
  return body;
}

function part(label: string, text: string): HTMLElement {
  return element('div', 'cm-card-part', element('div', 'cm-card-label', label), element('pre', '', text));
}

/** JSON with room to breathe; anything else as it is. */
function readable(text: string): string {
  if (text.length > 100_000 || !/^[[{]/.test(text)) return text;
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

function picture(view: EditorView, target: string): HTMLElement {
  const image = element('img', 'cm-card-picture');
  image.alt = target;
  image.addEventListener('error', () => image.replaceWith(notShown(target)));
  loadImage(image, view, target);
  return image;
}
