import { createTextGuard } from './conversation/guard';
import { findLinks } from './links';
import type { NotePart, TagNames } from './model';
import { findResourceLinks, printResourceLink } from './resource-links';
import { fenced, printPart } from './tool-calls/print';

/**
 * A server's message as one turn's text: it opens no other turn, its links bring in nothing of the vault, and what it
 * carries stands below it. `server` is where a resource that it names is to be read.
 */
export function printForeignTurn(parts: readonly NotePart[], server: string, tags: TagNames): string {
  return parts
    .map((part, index) => printForeignPart(part, server, tags, index === 0))
    .filter((text) => text.trim() !== '')
    .join('\n\n')
    .trimEnd();
}

function printForeignPart(part: NotePart, server: string, tags: TagNames, isFirst: boolean): string {
  switch (part.kind) {
    case 'text': {
      // Behind a tag a heading or a list begins on a line of its own.
      const guard = createTextGuard(tags, isFirst ? '#tag : ' : '');
      return withoutLinks(guard.push(part.text.trim()) + guard.end());
    }
    case 'json':
      return block(fenced('json', JSON.stringify(part.value, null, 2) ?? 'null'), isFirst);
    case 'resource':
      return block(
        fenced(`resource uri=${part.uri.replace(/[\s`]/g, encodeURIComponent)}`, part.text),
        isFirst,
      );
    case 'picture':
      return printPart(part);
    case 'link':
      return printResourceLink({ name: part.name, server, uri: part.uri });
  }
}

const block = (text: string, isFirst: boolean) => (isFirst ? `\n\n${text}` : text);

function withoutLinks(text: string): string {
  let out = '';
  let done = 0;
  const links = [...findLinks(text), ...findResourceLinks(text)].sort((a, b) => a.from - b.from);
  for (const link of links) {
    if (link.from < done) continue;
    const bracket = text.indexOf('[', link.from);
    // A backslash before the first bracket does not stop a link of two.
    const at = text[bracket + 1] === '[' ? bracket + 1 : bracket;
    out += `${text.slice(done, at)}\\`;
    done = at;
  }
  return out + text.slice(done);
}
