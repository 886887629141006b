const blockTags =
  'address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|menuitem|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|title|tr|track|ul';
const attribute = '[ \\t]+[A-Za-z_:][\\w.:-]*(?:[ \\t]*=[ \\t]*(?:[^\\s"\'=<>`]+|\'[^\'\\n]*\'|"[^"\\n]*"))?';

/** Beginnings and ends of blocks of HTML (CommonMark 0.31, section 4.6); those without an end go on to a blank line. */
const kinds: readonly {
  readonly begin: RegExp;
  readonly end: RegExp | null;
  readonly interrupts: boolean;
}[] = [
  {
    begin: /<(?:script|pre|style|textarea)(?=[\s>]|$)/iy,
    end: /<\/(?:script|pre|style|textarea)>/gi,
    interrupts: true,
  },
  { begin: /<!--/y, end: /-->/g, interrupts: true },
  { begin: /<\?/y, end: /\?>/g, interrupts: true },
  { begin: /<![A-Za-z]/y, end: />/g, interrupts: true },
  { begin: /<!\[CDATA\[/y, end: /\]\]>/g, interrupts: true },
  { begin: new RegExp(`</?(?:${blockTags})(?=[\\s>]|/>|$)`, 'iy'), end: null, interrupts: true },
  {
    begin: new RegExp(
      `(?:<[A-Za-z][\\w-]*(?:${attribute}){0,100}[ \\t]*/?>|</[A-Za-z][\\w-]*[ \\t]*>)[ \\t]*(?=\\n|$)`,
      'y',
    ),
    end: null,
    interrupts: false,
  },
];

/** Where the block of HTML ends that begins with this `<`, line break excluded; null where none does. */
export function htmlBlockEnd(text: string, offset: number, isInParagraph: boolean): number | null {
  const kind = kinds.find(({ begin, interrupts }) => {
    begin.lastIndex = offset;
    return (interrupts || !isInParagraph) && begin.test(text);
  });
  if (!kind) return null;
  const end = kind.end ?? /\n[ \t]*(?=\n|$)/g;
  end.lastIndex = offset;
  const match = end.exec(text);
  if (!match) return text.length;
  if (kind.end === null) return match.index;
  const lineEnd = text.indexOf('\n', match.index);
  return lineEnd === -1 ? text.length : lineEnd;
}
