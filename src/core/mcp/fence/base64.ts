const other = /[^\w+/\s-]/;
const end = /^={1,2}$/;

/**
 * The bytes of a text in either alphabet, with blanks anywhere; null: it holds something else. Of a text without blanks the
 * decoder is asked alone: what it does not know it leaves out, and gives less than the signs promise. (Of wide signs it takes
 * a half.)
 */
export function bytesOf(text: string): Buffer | null {
  const bytes = Buffer.from(text, 'base64');
  const signs = text.length - (text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0);
  // Of one sign over nothing is decoded: it would hide that another one was left out.
  const isWhole = signs % 4 !== 1 && bytes.length === Math.floor((signs * 3) / 4);
  if (isWhole && Buffer.byteLength(text) === text.length) return bytes;
  const at = text.search(other);
  return at === -1 || end.test(text.slice(at).trimEnd()) ? bytes : null;
}

export const isBase64 = (text: string): boolean => bytesOf(text) !== null;
