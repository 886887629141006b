const other = /[^\w+/\s-]/;
const end = /^={1,2}$/;

/** In either alphabet, with blanks anywhere. Each sign is looked at once, however long the text is. */
export function isBase64(text: string): boolean {
  const at = text.search(other);
  return at === -1 || end.test(text.slice(at).trimEnd());
}
