import { findLinks, type NoteLink, wikiParts } from './links';

/** The text with something else in the place of each `[[link]]` and `![[embed]]`; in code they are none. `words`: behind the bar. */
export function withLinksAs(text: string, write: (link: NoteLink, words: string | null) => string): string {
  let result = '';
  let end = 0;
  for (const link of findLinks(text)) {
    const inner = /^!?\[\[(.*)\]\]$/s.exec(text.slice(link.from, link.to))?.[1];
    if (inner === undefined) continue;
    result += text.slice(end, link.from) + write(link, wikiParts(inner).words);
    end = link.to;
  }
  return result + text.slice(end);
}
