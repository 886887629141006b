/** What stands behind the beginning of a text that was cut. */
export const cutMark = (length: number | string): string =>
  `… (cut; the whole has ${length.toLocaleString('en')} characters)`;

const mark = /… \(cut; the whole has ([\d,]{1,15}) characters\)$/;
const markOf = (text: string) => mark.exec(text.slice(-80));

/** Whether a text ends where it was cut. */
export const isCut = (text: string): boolean => markOf(text) !== null;

/** A text of at most `most` characters; of a longer one the beginning, which says so. What was cut before tells its first length. */
export function cutTo(text: string, most: number): string {
  if (text.length <= most) return text;
  return `${text.slice(0, most).toWellFormed()}${cutMark(markOf(text)?.[1] ?? text.length)}`;
}
