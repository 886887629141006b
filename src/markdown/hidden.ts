/** Signs that show nothing or turn the direction of the text: never needed in a result. */
const invisible =
  /[\u00ad\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb]|[\u{1d173}-\u{1d17a}\u{e0000}-\u{e007f}]/gu;
/** Joiners and variation selectors belong to emoji and to many scripts; two in a row carry something else. */
const runs = /(?:\u200c|\u200d|\u034f|[\ufe00-\ufe0f]|[\u{e0100}-\u{e01ef}]){2,}/gu;

/** Text in which every character that could hide something is written out by `print`. */
export function escapeHidden(text: string, print: (character: string) => string): string {
  return text
    .replace(invisible, print)
    .replace(runs, (run) =>
      run === '\u200d\ufe0f' || run === '\ufe0f\u200d' ? run : [...run].map(print).join(''),
    );
}
