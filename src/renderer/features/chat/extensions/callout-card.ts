import type { Text } from '@codemirror/state';
import { type EditorView, WidgetType } from '@codemirror/view';
import { t } from '../../../app/text';
import { briefArguments } from './brief-arguments';
import {
  type CalloutText,
  duration,
  readCall,
  readCallout,
  type ShownCall,
  type ShownState,
} from './callout-text';
import { failureCard } from './failure-card';
import { setFold } from './fold-mode';
import { type IconName, icon } from './icons';
import { noteContext } from './note-context';
import { editAgain, runAgain } from './run-again';
import { loadPicture } from './vault-picture';
import { toggleView } from './view-buttons';
import { button, element, notShown } from './widgets';

const stateIcons: Readonly<Record<ShownState, IconName | null>> = {
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
    private readonly open: boolean,
  ) {
    super();
  }
  override eq(other: CalloutCard): boolean {
    return other.open === this.open && other.source.eq(this.source);
  }
  override get estimatedHeight(): number {
    return this.open ? 160 : 40;
  }
  override ignoreEvent(): boolean {
    return true;
  }
  toDOM(view: EditorView): HTMLElement {
    const callout = readCallout(this.source.toString());
    // The editor counts heights without margins, so the room around a card is padding.
    return element('div', 'cm-card-place', this.card(view, callout));
  }

  private card(view: EditorView, callout: CalloutText): HTMLElement {
    if (this.type === 'tool') return this.toolCall(view, callout);
    return this.type === 'failure' ? this.failure(view, callout) : this.thought(view, callout);
  }

  private toolCall(view: EditorView, callout: CalloutText): HTMLElement {
    const call = readCall(callout);
    const card = element('div', `cm-card cm-call cm-call-${call.state}`);
    const body = this.open ? [callBody(view, call)] : [];
    const shape = stateIcons[call.state];
    const status = shape ? icon(shape) : element('span', 'cm-spinner');
    const facts = [duration(call.ms), call.cached && t('call.cached'), call.truncated && t('call.shortened')];
    const words = element('span', 'cm-card-facts', facts.filter(Boolean).join(' · '));
    if (call.state === 'running') words.dataset.live = `${call.server} ${call.tool}`;
    else if (call.state !== 'ok')
      words.prepend(`${t(`call.state.${call.state}`)}${words.textContent ? ' · ' : ''}`);
    const head = this.head(view, card, [
      element('span', `cm-card-state`, status),
      element('span', 'cm-card-server', call.server),
      element('span', 'cm-card-tool', call.tool),
      element('span', 'cm-card-brief', briefArguments(call.block)),
      words,
    ]);
    if (call.state === 'ok' || call.state === 'error') head.append(viewButton(view, card, call));
    head.append(this.callActions(view, card, call));
    card.append(head, ...body);
    return card;
  }

  private callActions(view: EditorView, card: HTMLElement, call: ShownCall): HTMLElement {
    const at = () => view.posAtDOM(card);
    const { actions } = view.state.field(noteContext);
    const results = call.results.map(({ text }) => text).join('\n\n');
    const row = element('span', 'cm-card-actions');
    if (call.state === 'running') return row;
    row.append(
      button('cm-card-action', t('call.copy'), () => actions.copy(results), icon('copy')),
      button('cm-card-action', t('call.again'), () => runAgain(view, at()), icon('rerun')),
      button('cm-card-action', t('call.editAgain'), () => editAgain(view, at(), call), icon('pencil')),
      button('cm-card-action', t('call.source'), () => this.set(view, card, 'source'), icon('code')),
    );
    return row;
  }

  private thought(view: EditorView, callout: CalloutText): HTMLElement {
    const card = element('div', 'cm-card cm-thought');
    const said = callout.title ? t('thought.for', { time: callout.title }) : t('thought.now');
    card.append(
      this.head(view, card, [
        element('span', 'cm-card-state', icon('brain')),
        element('span', 'cm-card-server', said),
      ]),
    );
    if (this.open) {
      card.append(element('div', 'cm-card-text', callout.sections.map(({ text }) => text).join('\n\n')));
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
  }
}

/** Hidden until a server says that it brings a view for such calls. */
function viewButton(view: EditorView, card: HTMLElement, { server, tool }: ShownCall): HTMLElement {
  const toggle = () => toggleView(view, view.posAtDOM(card));
  const made = button('cm-text-button cm-card-view', t('call.toggleView'), toggle, t('call.view'));
  Object.assign(made.dataset, { server, tool });
  made.hidden = true;
  return made;
}

function callBody(view: EditorView, call: ShownCall): HTMLElement {
  const body = element('div', 'cm-card-body');
  const said = call.results.filter(({ text }) => text.trim() !== '');
  const asked = argumentsOf(call.block);
  if (asked !== '') body.append(part(t('call.arguments'), asked));
  for (const { info, text } of said) {
    const pictures = [...text.matchAll(/!\[\[([^\]|]+)(?:\|[^\]]*)?\]\]/g)].map((match) => match[1] ?? '');
    body.append(
      part(t(info === null ? 'call.attached' : 'call.result'), info === null ? text : readable(text)),
    );
    for (const target of pictures) body.append(picture(view, target));
  }
  if (said.length === 0)
    body.append(part(t('call.result'), t(call.state === 'running' ? 'call.noneYet' : 'call.nothing')));
  return body;
}

/** The block without its fences and the line that names the tool. */
function argumentsOf(block: string | null): string {
  const lines = (block ?? '').split('\n').slice(1, -1);
  return lines.filter((line) => !line.startsWith('tool:')).join('\n');
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
  loadPicture(image, view, target);
  return image;
}
