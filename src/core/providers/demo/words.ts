const common = new Set(
  'a an and any are as at be by can could did do does for from give had has have how i in into is it its let me my of on or our please put show some still tell than that the their them there these they this to us use using want was we were what when where which who why will with would you your'.split(
    ' ',
  ),
);

/** The words that carry meaning, in lower case, without a plural's s. */
export function keywords(text: string): string[] {
  const words = text
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu);
  return [...new Set((words ?? []).map(stem).filter((word) => word.length > 1 && !common.has(word)))];
}

function stem(word: string): string {
  return word.length > 3 && word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word;
}

/** How many of the words are in the text. */
export function hits(words: readonly string[], text: string): number {
  const there = new Set(keywords(text));
  return words.filter((word) => there.has(word)).length;
}

/** What stands in quotation marks or backticks. */
export function quotedParts(text: string): string[] {
  return [...text.matchAll(/["“”'`「『]([^"“”'`」』\n]{1,200})["“”'`」』](?!\w)/g)].map(
    (match) => match[1] ?? '',
  );
}

/** Paths and wikilinks to notes. */
export function notePaths(text: string): string[] {
  const links = [...text.matchAll(/\[\[([^\]|#\n]+)/g)].map((match) => (match[1] ?? '').trim());
  const rest = text.replace(/\[\[[^[\]]*\]\]/g, ' ');
  const quoted = quotedParts(rest).filter((part) => /\.md$/i.test(part));
  const plain =
    quoted.length > 0
      ? []
      : (rest.match(/[\p{L}\p{N}_\-./]+/gu) ?? []).flatMap((word) => /^.+\.md\b/u.exec(word)?.[0] ?? []);
  return [
    ...new Set(
      [...links, ...quoted, ...plain].map((path) => (/\.\w{1,5}$/.test(path) ? path : `${path}.md`)),
    ),
  ];
}
