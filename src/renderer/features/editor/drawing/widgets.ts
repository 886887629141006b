import { type EditorView, WidgetType } from '@codemirror/view';
import type { ResourceLink } from '../../../../markdown';
import { t } from '../../../base/text/text';
import { visible } from '../../../base/text/visible';
import type { RoleTag } from '../reading/role-tag';
import { icon } from './icons';
import { loadImage } from './vault-image';

/** An element with text that is never read as markup. */
export function element<K extends keyof HTMLElementTagNameMap>(
  name: K,
  className: string,
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const node = document.createElement(name);
  node.className = className;
  node.append(...children);
  return node;
}

export function button(
  className: string,
  label: string,
  act: () => void,
  ...children: (Node | string)[]
): HTMLButtonElement {
  const node = element('button', className, ...children);
  node.type = 'button';
  node.title = label;
  // What can be read on it is its name; an icon needs one.
  if (node.textContent === '') node.setAttribute('aria-label', label);
  // Keeps the focus and the cursor where they are.
  node.addEventListener('mousedown', (event) => event.preventDefault());
  node.addEventListener('click', (event) => {
    event.preventDefault();
    act();
  });
  return node;
}

export class SpeakerChip extends WidgetType {
  constructor(private readonly of: Pick<RoleTag, 'role' | 'tag' | 'isUnknown'>) {
    super();
  }
  override eq({ of }: SpeakerChip): boolean {
    return of.role === this.of.role && of.tag === this.of.tag && of.isUnknown === this.of.isUnknown;
  }
  toDOM(): HTMLElement {
    const { role, tag, isUnknown } = this.of;
    if (role === 'new-chat') return element('span', 'cm-new-chat', t('note.newChat'));
    if (!isUnknown) return element('span', `cm-speaker cm-speaker-${role}`, tag);
    const label = element('span', 'cm-speaker-said', t('note.unknownSpeaker'));
    const chip = element('span', 'cm-speaker cm-speaker-unknown', tag, label);
    chip.title = t('note.unknownSpeaker.why');
    return chip;
  }
  override ignoreEvent(): boolean {
    return false;
  }
}

export class Checkbox extends WidgetType {
  constructor(private readonly checked: boolean) {
    super();
  }
  override eq(other: Checkbox): boolean {
    return other.checked === this.checked;
  }
  toDOM(view: EditorView): HTMLElement {
    const box = element('input', 'cm-task');
    box.type = 'checkbox';
    box.checked = this.checked;
    box.setAttribute('aria-label', t(this.checked ? 'note.done' : 'note.toDo'));
    box.addEventListener('mousedown', (event) => event.preventDefault());
    box.addEventListener('click', (event) => {
      event.preventDefault();
      if (view.state.readOnly) return;
      const from = view.posAtDOM(box);
      view.dispatch({
        changes: { from: from + 1, to: from + 2, insert: this.checked ? ' ' : 'x' },
        userEvent: 'input',
      });
    });
    return element('span', 'cm-task-place', box);
  }
}

export class Bullet extends WidgetType {
  override eq(): boolean {
    return true;
  }
  toDOM(): HTMLElement {
    return element('span', 'cm-bullet', '•');
  }
}

/** The name of a callout without a title. */
export class Words extends WidgetType {
  constructor(private readonly words: string) {
    super();
  }
  override eq(other: Words): boolean {
    return other.words === this.words;
  }
  toDOM(): HTMLElement {
    return element('span', '', this.words.charAt(0).toUpperCase() + this.words.slice(1));
  }
}

/** A resource of a server, attached to a message. */
export class ResourceChip extends WidgetType {
  constructor(private readonly link: Pick<ResourceLink, 'name' | 'server' | 'uri'>) {
    super();
  }
  override eq({ link }: ResourceChip): boolean {
    return link.name === this.link.name && link.server === this.link.server && link.uri === this.link.uri;
  }
  toDOM(): HTMLElement {
    const { name, server, uri } = this.link;
    const chip = element(
      'span',
      'cm-resource',
      icon('clip', 12),
      name,
      element('span', 'cm-resource-server', server),
    );
    chip.title = t('attach.chip', { uri: visible(uri), server });
    return chip;
  }
  override ignoreEvent(): boolean {
    return false;
  }
}

export class Rule extends WidgetType {
  override eq(): boolean {
    return true;
  }
  toDOM(): HTMLElement {
    return element('span', 'cm-rule');
  }
}

/** In the place of a picture that is not there, or that the browser cannot read. */
export const notShown = (target: string): HTMLElement =>
  element('span', 'cm-picture-missing', icon('image-off'), ` ${t('note.pictureNotShown', { name: target })}`);

/** A picture of the vault; one of the network stays a link. */
export class ImageWidget extends WidgetType {
  constructor(
    private readonly target: string,
    private readonly words: string,
    private readonly width: string,
    private readonly height: string,
  ) {
    super();
  }
  override eq(other: ImageWidget): boolean {
    const { target, words, width, height } = this;
    return (
      other.target === target && other.words === words && other.width === width && other.height === height
    );
  }
  toDOM(view: EditorView): HTMLElement {
    const holder = element('span', 'cm-picture');
    const show = () => {
      const image = element('img', '');
      image.alt = this.words || this.target;
      image.decoding = 'async';
      if (this.width) image.style.width = `${this.width}px`;
      if (this.height) image.style.height = `${this.height}px`;
      image.addEventListener('load', () => view.requestMeasure());
      image.addEventListener('error', () => {
        holder.replaceChildren(notShown(this.target));
      });
      loadImage(image, view, this.target);
      holder.replaceChildren(image);
    };
    if (/^https?:/i.test(this.target)) {
      const host = this.target.replace(/^https?:\/\//i, '').split('/')[0] ?? '';
      const words = this.words || t('note.remotePicture', { host });
      // Nothing is fetched from elsewhere for showing a note; the browser may.
      const link = element('span', 'cm-link cm-picture-away', icon('image'), ` ${words}`);
      link.dataset.target = this.target;
      holder.append(link);
    } else {
      show();
    }
    return holder;
  }
  override ignoreEvent(): boolean {
    return !/^https?:/i.test(this.target);
  }
}
