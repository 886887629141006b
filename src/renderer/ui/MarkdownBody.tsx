import DOMPurify from 'dompurify';
import MarkdownIt from 'markdown-it';
import { type MouseEvent, useLayoutEffect, useRef } from 'react';
import { useUiWords } from './words';

const markdown = new MarkdownIt({ html: false, linkify: true, breaks: true });
const allowed = {
  ALLOWED_TAGS: [
    ...['p', 'br', 'strong', 'em', 's', 'code', 'pre', 'blockquote', 'hr', 'ul', 'ol', 'li', 'a'],
    ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'table', 'thead', 'tbody', 'tr', 'th', 'td'],
  ],
  ALLOWED_ATTR: ['href', 'start'],
  ALLOWED_URI_REGEXP: /^(?:https?|mailto):/i,
  RETURN_DOM_FRAGMENT: true as const,
};

export interface MarkdownProps {
  text: string;
  /** A link was followed; nothing is opened otherwise. */
  onLink(url: string): void;
}

/** Somebody else's markdown: no HTML of theirs, no pictures, links only where the person follows them. */
export function MarkdownBody({ text, onLink }: MarkdownProps) {
  const ref = useRef<HTMLDivElement>(null);
  const { remoteImage } = useUiWords();
  useLayoutEffect(() => {
    const fragment = sanitized(text, remoteImage);
    ref.current?.replaceChildren(fragment);
  }, [text, remoteImage]);
  const clicked = (event: MouseEvent) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    if (!link) return;
    event.preventDefault();
    onLink(link.href);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: Enter on a link is a click.
    <div className="ui-markdown" ref={ref} onClick={clicked} onAuxClick={(event) => event.preventDefault()} />
  );
}

function sanitized(text: string, remoteImage: string): DocumentFragment {
  markdown.renderer.rules.image = (tokens, at) => {
    const token = tokens[at];
    const url = String(token?.attrGet('src') ?? '');
    const label = markdown.utils.escapeHtml(`${remoteImage}: ${token?.content || url}`);
    return `<a href="${markdown.utils.escapeHtml(url)}">${label}</a>`;
  };
  const fragment = DOMPurify.sanitize(markdown.render(text), allowed);
  for (const link of fragment.querySelectorAll('a')) link.title = link.href;
  return fragment;
}
