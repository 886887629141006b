const mark = /^\uFEFF?---[ \t]*\r?\n/;
const invisible = /^[\s\uFEFF\u200B-\u200D\u2060]+/;
const otherMark = /^(?:-{2,}(?!-)|[—–][-—–]*(?![-—–]))[ \t]*(\S[^\r\n]*)?(?=\r?\n)/;
const fenced = /^```ya?ml[ \t]*\r?\n([\s\S]*?\n)```[ \t]*(?=\r?\n|$)/;
const plus = /^\+{3}[ \t]*\r?\n([\s\S]*?\n)\+{3}[ \t]*(?=\r?\n|$)/;
const claim = /^["']?id["']?[ \t]*:[ \t]*["'[]*(?:M|S|T|DEC|DOC)-\d/i;
const blockAhead = 4096;
const directives = /^(?:%[^\r\n]*\r?\n)+---[ \t]*\r?\n/;
const lastMark = /---[ \t]*\r?\n$/;
const emptyBlock = /^\uFEFF?---[ \t]*\r?\n(?:[ \t]*\r?\n)*---[ \t]*\r?\n(?:[ \t]*\r?\n)*/;
const keyOrItem = /^(?:["']?[\w -]+(?:["'\t][ \t]*)?:|-[ \t]|#)/;

/**
 * The text as it is where its front matter begins as it must: on the first line with three dashes. Also where blanks, a
 * text or another mark stand there, or the line ends are those of old systems; unchanged where nothing like it is meant.
 */
export function withPlainStart(text: string): string {
  if (mark.test(text) && !/^[^\n]*\r(?!\n)/.test(text)) return withoutEmptyBlock(text);
  const lines = /^[^\n]*\r(?!\n)/.test(text) ? text.replace(/\r(?!\n)/g, '\n') : text;
  const bare = lines.replace(invisible, '');
  if (mark.test(bare)) return withoutEmptyBlock(bare);
  if (directives.test(bare))
    return bare.replace(
      directives,
      (lines) => `---\n${lines.replace(/^(?=%)/gm, '# ').replace(lastMark, '')}`,
    );
  if (otherMark.test(bare))
    return bare.replace(otherMark, (_, words?: string) => (words ? `---\n# ${words}` : '---'));
  if (fenced.test(bare)) return bare.replace(fenced, '---\n$1---');
  if (plus.test(bare)) return bare.replace(plus, (_, lines: string) => `---\n${fromToml(lines)}---`);
  const [block = ''] = bare.slice(0, blockAhead).split(/\r?\n[ \t]*\r?\n/, 1);
  if (
    /^[A-Za-z_"'][\w "'-]*:(?:[ \t\r\n]|$)/.test(bare) &&
    block.split(/\r?\n/).some((line) => claim.test(line))
  )
    return `---\n${bare}`;
  return text;
}

/** Without marks that hold nothing between them, where the front matter that names an id comes after them. */
function withoutEmptyBlock(text: string): string {
  const first = emptyBlock.exec(text)?.[0];
  if (first === undefined) return text;
  const rest = text.slice(first.length);
  const closed = /^(?:---[ \t]*\r?\n)?([\s\S]*?\n)---[ \t]*(?:\r?\n|$)/.exec(rest.slice(0, blockAhead))?.[1];
  const lines = closed?.split(/\r?\n/) ?? [];
  if (
    !lines.some((line) => claim.test(line)) ||
    lines.some((line) => /^\S/.test(line) && !keyOrItem.test(line))
  )
    return text;
  return mark.test(rest) ? rest : `---\n${rest}`;
}

/** Keys with their values, which mostly are the same in both; the names of tables become comments. */
function fromToml(lines: string): string {
  return lines.replace(/^(["']?[\w-]+["']?)[ \t]*=[ \t]*/gm, '$1: ').replace(/^(?=\[)/gm, '# ');
}

const block = /(?:^|\n)(---[ \t]*\r?\n[\s\S]*?\n---[ \t]*(?:\r?\n|$))/;

/** With the front matter that comes after other words before them; null where there is none that names an id. */
export function withLaterBlock(text: string): string | null {
  const match = block.exec(text.slice(0, blockAhead));
  const inner = match?.[1];
  if (!match || inner === undefined || !inner.split(/\r?\n/).some((line) => claim.test(line))) return null;
  const at = match.index + match[0].length - inner.length;
  const before = text.slice(0, at);
  return at === 0 ? null : `${inner}${before}${text.slice(at + inner.length)}`;
}
