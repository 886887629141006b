/**
 * Finds a secret also in the forms in which an error may repeat it: escaped for JSON, an address or a page, in other letters,
 * broken over lines, as hexadecimal or base64, alone or as a part of something longer.
 */
export function formsOf(secret: string): readonly RegExp[] {
  const cached = cache.get(secret);
  if (cached) return cached;
  const forms = [
    spelledOut(secret),
    new RegExp(Buffer.from(secret).toString('hex'), 'gi'),
    new RegExp([0, 1, 2].map((shift) => base64(secret, shift)).join('|'), 'g'),
  ];
  if (cache.size >= mostKept) cache.clear();
  cache.set(secret, forms);
  return forms;
}

const cache = new Map<string, readonly RegExp[]>();
const mostKept = 500;

const exact = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');

/**
 * Blanks break lines and backslashes escape: they may stand anywhere in it, and its own may be missing. So a run of them can be read
 * in one way only, and a text full of them costs no more than another.
 */
function spelledOut(secret: string): RegExp {
  const characters = [...secret.matchAll(/([^\s\\])([\s\\]*)/gu)];
  if (characters.length === 0) return new RegExp(exact(secret), 'g');
  const pattern = characters.map(([, character = '', gap = ''], at) => {
    const form = `(?:${escaped(character)}|${exact(character)})`;
    if (at === characters.length - 1) return form;
    return `${form}(?:${['[\\s\\\\]', ...[...new Set(gap)].map(escaped)].join('|')})*`;
  });
  return new RegExp(`(?:(?<!\\\\)\\\\+(?=[ux"'/]))?${pattern.join('')}`, 'giu');
}

/** One character of it as it is not written itself. */
function escaped(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const hex = code.toString(16);
  const units = Array.from(
    { length: character.length },
    (_, at) => `u${character.charCodeAt(at).toString(16).padStart(4, '0')}`,
  ).join('\\\\+');
  const percent = [...Buffer.from(character)].map((byte) => `%(?:25)?${byte.toString(16).padStart(2, '0')}`);
  const entities = [...(named[character] ?? []), `#0*${code}`, `#x0*${hex}`].join('|');
  return `(?<=\\\\)(?:${units}|u\\{0*${hex}\\}|x${hex.padStart(2, '0')})|${percent.join('')}|&(?:${entities});`;
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
