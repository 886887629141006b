/**
 * Finds a secret also in the forms in which an error may repeat it: escaped for JSON, an address or a page, in other letters,
 * broken over lines, as hexadecimal or base64, alone or as a part of something longer.
 */
export function formsOf(secret: string): readonly RegExp[] {
  const known = made.get(secret);
  if (known) return known;
  const forms = [
    new RegExp([...secret].map(written).join('\\s*'), 'giu'),
    new RegExp(Buffer.from(secret).toString('hex'), 'gi'),
    new RegExp([0, 1, 2].map((shift) => base64(secret, shift)).join('|'), 'g'),
  ];
  if (made.size >= mostKept) made.clear();
  made.set(secret, forms);
  return forms;
}

const made = new Map<string, readonly RegExp[]>();
const mostKept = 100;

const exact = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');

/** One character of it. */
function written(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const hex = code.toString(16);
  const units = Array.from(
    { length: character.length },
    (_, at) => `\\\\+u${character.charCodeAt(at).toString(16).padStart(4, '0')}`,
  ).join('');
  const percent = [...Buffer.from(character)].map((byte) => `%(?:25)?${byte.toString(16).padStart(2, '0')}`);
  const entities = [...(named[character] ?? []), `#0*${code}`, `#x0*${hex}`].join('|');
  const escaped = /["'/\\]/.test(character) ? `\\\\*${exact(character)}` : exact(character);
  return `(?:${escaped}|${units}|\\\\+u\\{0*${hex}\\}|\\\\+x${hex.padStart(2, '0')}|${percent.join('')}|&(?:${entities});)`;
}

const named: Readonly<Record<string, readonly string[]>> = {
  '"': ['quot'],
  '&': ['amp'],
  '<': ['lt'],
  '>': ['gt'],
  "'": ['apos'],
};

/** With so many bytes before it: each way its characters look like others. */
function base64(secret: string, shift: number): string {
  const bytes = Buffer.concat([Buffer.alloc(shift), Buffer.from(secret)]);
  const isOpen = bytes.length % 3 !== 0;
  // The characters at its ends are also of what stands beside it.
  const core = bytes
    .toString('base64')
    .replaceAll('=', '')
    .slice(Math.ceil((shift * 8) / 6), isOpen ? -1 : undefined);
  const either = core.replaceAll('+', '[+-]').replaceAll('/', '[/_]');
  return `${either}${isOpen ? '[\\w+/-]?' : ''}={0,2}`;
}
