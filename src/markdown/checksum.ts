/** Eight hexadecimal digits: whether a text is still as it was written, not whether somebody meant to make it look so (FNV-1a). */
export function checksum(text: string): string {
  let sum = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) sum = Math.imul(sum ^ text.charCodeAt(at), 0x01000193);
  return (sum >>> 0).toString(16).padStart(8, '0');
}
