import { readLines } from '../../notes';

/** Every line in its order, each perhaps with more behind it. Of a text without words nobody can tell: it may have had some. */
export function says(text: string, words: string): boolean {
  if (words.trim() === '') return false;
  const lines = readLines(text).doc.iterLines();
  for (const line of readLines(words).doc.iterLines()) {
    if (line.trim() === '') continue;
    do if (lines.next().done) return false;
    while (!lines.value.startsWith(line));
  }
  return true;
}
