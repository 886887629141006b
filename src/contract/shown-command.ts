/**
 * A program with its arguments, to be read: backslashes as they are, and quotes only around a word whose bounds could not
 * be seen without. Where a word holds both kinds of quotes, those inside that are like the outer ones stand twice.
 */
export function shownCommand(words: readonly string[]): string {
  return words.map(shownWord).join(' ');
}

function shownWord(word: string): string {
  const text = word.replace(/\p{Cc}/gu, (sign) => `\\u{${sign.codePointAt(0)?.toString(16)}}`);
  if (text === word && /^[^\s"']+$/.test(word)) return word;
  const quote = word.includes('"') && !word.includes("'") ? "'" : '"';
  return `${quote}${text.replaceAll(quote, quote + quote)}${quote}`;
}
