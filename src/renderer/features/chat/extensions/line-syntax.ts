import type { Tree } from '@lezer/common';
import { Autolink, type MarkdownConfig, parser, Strikethrough, TaskList } from '@lezer/markdown';

const wikiLink: MarkdownConfig = {
  defineNodes: ['WikiLink', 'WikiEmbed'],
  parseInline: [
    {
      name: 'WikiLink',
      before: 'Link',
      parse(context, next, at) {
        const embed = next === 33;
        const start = embed ? at + 1 : at;
        if (context.char(start) !== 91 || context.char(start + 1) !== 91) return -1;
        const length = context.slice(start, context.end).search(/\]\]/);
        if (length < 3) return -1;
        const end = start + length + 2;
        if (context.slice(start + 2, end - 2).includes('[')) return -1;
        return context.addElement(context.elt(embed ? 'WikiEmbed' : 'WikiLink', at, end));
      },
    },
  ],
};

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
  const known = remembered.get(text);
  if (known) return known;
  if (remembered.size >= limit) remembered.clear();
  const tree = lineParser.parse(text);
  remembered.set(text, tree);
  return tree;
}
