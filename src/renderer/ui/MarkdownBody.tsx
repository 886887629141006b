import { type MouseEvent, useLayoutEffect, useRef } from 'react';
import { escapeHtml, renderMarkdown } from './render-markdown';
import { useUiWords } from './words';

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
    ref.current?.replaceChildren(rendered(text, remoteImage));
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

/** A picture on the web is a link. */
function rendered(text: string, remoteImage: string): DocumentFragment {
  const template = document.createElement('template');
  template.innerHTML = renderMarkdown(
    text,
    ({ address, words }) =>
      `<a href="${escapeHtml(address)}">${escapeHtml(`${remoteImage}: ${words || address}`)}</a>`,
  );
  for (const link of template.content.querySelectorAll('a')) link.title = link.href;
  return template.content;
}
