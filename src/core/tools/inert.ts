const esc = '\u001b';
const bell = '\u0007';
// CSI, OSC and the other string sequences, then lone two-letter ones. Each part is bounded by its own terminator.
const ansi = new RegExp(
  `${esc}\\[[0-?]*[ -/]*[@-~]|\u009b[0-?]*[ -/]*[@-~]|${esc}[\\]PX^_][^${bell}${esc}]*(?:${bell}|${esc}\\\\)|${esc}[ -/]*[0-~]`,
  'g',
);
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const controls = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g;
/** Signs that show nothing or turn the direction of the text: never needed in a result. */
const invisible =
  /[\u00ad\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb]|[\u{1d173}-\u{1d17a}\u{e0000}-\u{e007f}]/gu;
/** Joiners and variation selectors belong to emoji and to many scripts; two in a row carry something else. */
const runs = /(?:\u200c|\u200d|\u034f|[\ufe00-\ufe0f]|[\u{e0100}-\u{e01ef}]){2,}/gu;

/**
 * Text from outside, made harmless to read: terminal sequences are taken out, hidden and direction-turning characters
 * are shown as `\u{…}`, so that a person and a model see the same.
 */
export function inert(text: string): string {
  return text
    .toWellFormed()
    .replace(/\r\n?/g, '\n')
    .replace(ansi, '')
    .replace(controls, shown)
    .replace(invisible, shown)
    .replace(runs, (run) =>
      run === '\u200d\ufe0f' || run === '\ufe0f\u200d' ? run : [...run].map(shown).join(''),
    );
}

/** The same for every string inside a JSON value, keys included. */
export function inertValue<T>(value: T): T;
export function inertValue(value: unknown): unknown {
  if (typeof value === 'string') return inert(value);
  if (Array.isArray(value)) return value.map((item) => inertValue(item));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [inert(key), inertValue(item)]));
}

function shown(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}
