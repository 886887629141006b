import { createTextGuard } from './conversation/guard';
import { opensFrontMatter } from './conversation/open-fence';
import { findLinks } from './links';
import type { NotePart, TagNames } from './model';
import { findResourceLinks, printResourceLink } from './resource-links';
import { fenced, printPart } from './tool-calls/print';

/**
 * A server's message as one turn's text: it opens no other turn, its links bring in nothing of the vault, and what it
 * carries stands below it. `server` is where a resource that it names is to be read; `before` is the note up to the
 * place of writing. Nothing may be trimmed from it.
 */
export function printForeignTurn(
  parts: readonly NotePart[],
  server: string,
  tags: TagNames,
  before: string,
): string {
  let result = '';
  for (const part of parts) {
    const text = printForeignPart(part, server, tags, before + result);
    if (text === '') continue;
    // Text says itself how far below it begins.
    const isFirst = result === '' && ['picture', 'file', 'link'].includes(part.kind);
    result += part.kind === 'text' || isFirst ? text : `\n\n${text}`;
  }
  return result;
}

/** What somebody else says in a person's name: one turn's text that brings in nothing. */
export function printForeignText(text: string, tags: TagNames, before: string): string {
  const guard = createTextGuard(tags, before);
  return withoutLinks(guard.push(text) + guard.end(), before);
}

/** A name that somebody else may have chosen, within a line of the person’s: it brings in nothing, opens no turn and ends no line. */
export const printForeignName = (name: string): string =>
  name
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .replace(/[\\[\]`<>]/g, '\\$&')
    .replace(/(?<=^|\s)#/g, '\\#');

function printForeignPart(part: NotePart, server: string, tags: TagNames, before: string): string {
  switch (part.kind) {
    case 'text':
      return printForeignText(part.text, tags, before);
    case 'json':
      return fenced('json', JSON.stringify(part.value, null, 2) ?? 'null');
    case 'resource':
      return fenced(
        `resource uri=${part.uri.replace(/[\s`]/g, encodeURIComponent)}`,
        withoutRules(part.text, before),
      );
    case 'picture':
      return printPart(part);
    case 'file':
      return printPart({ kind: 'picture', target: part.target });
    case 'link':
      return printResourceLink({ name: part.name, server, uri: part.uri });
  }
}

/** Where a rule would end front matter that the note opens, no line is one. `before` is the note up to the place of writing. */
export function withoutRules(text: string, before: string): string {
  return opensFrontMatter(before) ? text.replace(/^---(?=\s*$)/gm, '\\---') : text;
}

/** With backslashes until the readers of links, who see the text in its place, find none. */
function withoutLinks(text: string, before: string): string {
  let out = text;
  for (let links = linksIn(before, out); links.length > 0; links = linksIn(before, out)) {
    let next = '';
    let position = 0;
    for (const at of links) {
      next += `${out.slice(position, at)}\\`;
      position = at;
    }
    out = next + out.slice(position);
  }
  return out;
}

/** Where the links' brackets stand in `text`. */
function linksIn(before: string, text: string): number[] {
  const whole = before + text;
  const places = [...findLinks(whole), ...findResourceLinks(whole)]
    .filter((link) => link.to > before.length)
    .map((link) => {
      const bracket = whole.indexOf('[', link.from);
      // A backslash before the first bracket does not stop a link of two.
      return (whole[bracket + 1] === '[' ? bracket + 1 : bracket) - before.length;
    });
  return [...new Set(places)].filter((at) => at >= 0).sort((a, b) => a - b);
}
