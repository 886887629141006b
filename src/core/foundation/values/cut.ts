/** What stands behind the beginning of a text that was cut. `hash`: of the whole, SHA-256, where something is bound to it. */
export const cutMark = (length: number | string, hash?: string): string =>
  `… (cut; the whole has ${length.toLocaleString('en')} characters${hash === undefined ? '' : `, SHA-256 ${hash}`})`;

const mark = /… \(cut; the whole has ([\d,]{1,15}) characters(?:, SHA-256 ([\da-f]{64}))?\)$/;
const markOf = (text: string) => mark.exec(text.slice(-150));

/** Whether a text ends where it was cut. */
export const isCut = (text: string): boolean => markOf(text) !== null;

/**
 * A text of at most `most` characters; of a longer one the beginning, which says so. What was cut before tells of the whole as
 * it did then; where the `hash` is given the text as it is here is the whole, whatever mark its author put behind it.
 */
export function cutTo(text: string, most: number, hash?: string): string {
  if (text.length <= most) return text;
  const before = hash === undefined ? markOf(text) : null;
  return `${text.slice(0, most).toWellFormed()}${cutMark(before?.[1] ?? text.length, hash ?? before?.[2])}`;
}
