/** What others may repeat without end in a text: each class of characters, and short mixtures that patterns start at. */
const units = [
  ...['a', 'A', 'é', '漢', '😀', '0', '_', '-', '.', ',', ';', ':', '/', '\\', '|', '=', '@', '?', '!', '&'],
  ...['#', '%', '$', '^', '+', '*', '~', '`', '"', "'", '[', ']', '(', ')', '{', '}', '<', '>', ' ', '\t'],
  ...['\n', '\r', '\r\n', '\0', '\u001b', '\u202e', '\u200b', 'a ', 'a-', 'a.', 'a,', 'a:', 'a=', 'a@', 'a/'],
  ...['=a:', ':/', '://', 'a://', '../', '0.', '-eyJ', 'sk-', 'Bearer ', '\\u', '\\u{0', '\\x', '&#0', '%25'],
  ...[
    '?key=a',
    '"key":"',
    '"a" ',
    '{"a":',
    '${',
    '${a:-',
    '{env:',
    '{{',
    '[[',
    '![[',
    '](',
    '[](',
    '[ {',
    '[^a]',
  ],
  ...[
    '|a',
    '| ',
    '> ',
    '> > ',
    '>\n',
    '> [!tool] ',
    '> [!tool]- a\n',
    ' #User : a\n',
    '> ```\n',
    '- ',
    '#a ',
    '\n#',
    '# ',
    ' #\n',
    '---\n',
    '- - ',
  ],
  ...[
    'a: ',
    '%%',
    '%% %',
    '<!--',
    '-->',
    '<a ',
    '</',
    '<a b="',
    '$$',
    '$a$ ',
    '``',
    '` `` ',
    '```\n',
    '~~~\n',
    '**a ',
  ],
  ...['\u001b[0', '\u001b]', ' \n', 'a\n', '\n\n', '\n a', '\t\n', 'Error: ', 'at ', '^\n'],
];

/** About so long each; what ends it is nothing that a pattern waits for. */
export const hostileTexts = (length: number): [unit: string, text: string][] =>
  units.flatMap((unit) => {
    const text = unit.repeat(Math.ceil(length / unit.length));
    return [
      [unit, text],
      [`${unit} before an end`, `${text}\u0001`],
      [`${unit} behind a name`, `a:${text}\u0001`],
    ];
  });

/** Processor time in milliseconds, the best of three where it is a little too long: what else the machine does is not counted. */
export function cost(work: () => void, enough: number): number {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 3 && best > enough && (round === 0 || best < 4 * enough); round++) {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    best = Math.min(best, (user + system) / 1000);
  }
  return best;
}
