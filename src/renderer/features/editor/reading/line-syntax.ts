import type { Tree } from '@lezer/common';
import { Autolink, type MarkdownConfig, parser, Strikethrough, TaskList } from '@lezer/markdown';
import { findLinksInLine, type NoteLink } from '../../../../markdown';

/** As the core reads them. */
const wikiLink: MarkdownConfig = {
  defineNodes: ['WikiLink', 'WikiEmbed'],
  parseInline: [
    {
      name: 'WikiLink',
      before: 'Escape',
      parse(context, next, at) {
        if (next !== 91 && next !== 33) return -1;
        const { text, offset } = context;
        const isWiki = next === 33 ? text.startsWith('![[', at - offset) : text.startsWith('[[', at - offset);
        if (!isWiki) return -1;
        const link = linksOf(text).find(({ from }) => from === at - offset);
        if (!link) return -1;
        const name = link.kind === 'embed' ? 'WikiEmbed' : 'WikiLink';
        return context.addElement(context.elt(name, at, offset + link.to));
      },
    },
  ],
};

let lastRead: { readonly text: string; readonly links: readonly NoteLink[] } = { text: '', links: [] };

function linksOf(text: string): readonly NoteLink[] {
  if (lastRead.text !== text) lastRead = { text, links: findLinksInLine(text) };
  return lastRead.links;
}

/** Blocks that reach over lines are found elsewhere, so each line is read by itself, and remembered. */
const lineParser = parser.configure([
  Strikethrough,
  TaskList,
  Autolink,
  wikiLink,
  { remove: ['IndentedCode', 'SetextHeading', 'FencedCode', 'HTMLBlock', 'LinkReference'] },
]);

const remembered = new Map<string, Tree>();
const limit = 4000;
/** A longer line is shown as it is. */
export const longestLine = 10_000;

export function parseLine(text: string): Tree {
  const earlier = remembered.get(text);
  if (earlier) return earlier;
  if (remembered.size >= limit) remembered.clear();
  const tree = lineParser.parse(text);
  remembered.set(text, tree);
  return tree;
}
