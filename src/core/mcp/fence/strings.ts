const [quote, backslash] = [0x22, 0x5c];

/** Where the closing quote stands; the end where there is none. Short strings are the rule, long ones are jumped over. */
export function endOfString(bytes: Uint8Array, start: number): number {
  const near = Math.min(bytes.length, start + 32);
  for (let at = start; at < near; at++) {
    if (bytes[at] === backslash) at++;
    else if (bytes[at] === quote) return at;
  }
  for (let at = bytes.indexOf(quote, start); at !== -1; at = bytes.indexOf(quote, at + 1)) {
    let escapes = 0;
    while (at - 1 - escapes >= start && bytes[at - 1 - escapes] === backslash) escapes++;
    if (escapes % 2 === 0) return at;
  }
  return bytes.length;
}
