import { ChangeSet, Text } from '@codemirror/state';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { diff } from './diff';
import { conflictTitle, merge } from './merge';

const docOf = (value: string) => Text.of(value.split('\n'));

function joined(base: string, ours: string, theirs: string) {
  const [from, our, their] = [docOf(base), docOf(ours), docOf(theirs)];
  const { changes, conflicts } = merge(
    from,
    { ours: diff(from, our), theirs: diff(from, their) },
    our,
    their,
  );
  return { text: changes.apply(our).toString(), conflicts };
}

const none = { both: 0, deleted: 0 };

test('a note that both began with much the same text has it once, with what each has beyond it', () => {
  const letter = ['# Letter', 'Dear all,', 'thank you for the box.', 'It came on Monday.'];
  const ours = [...letter, 'Mine.'].join('\n');
  const theirs = ['Theirs.', ...letter].join('\n');
  expect(joined('', ours, theirs)).toEqual({ text: ['Theirs.', ours].join('\n'), conflicts: none });
  expect(joined('', ours, letter.join('\n'))).toEqual({ text: ours, conflicts: none });
  expect(joined('', letter.join('\n'), ours)).toEqual({ text: ours, conflicts: none });
});

test('what both typed at one place, the one further than the other, is there once', () => {
  expect(joined('a\nend', 'a word and more\nend', 'a word\nend').text).toBe('a word and more\nend');
  expect(joined('a\nend', 'a word\nend', 'a word and more\nend').text).toBe('a word and more\nend');
});

test('words that were cut off are the beginning of those the other side has whole, and no other ones', () => {
  const base = 'Text\n\none01 ';
  const whole = `${base}one02 one03 one04 `;
  for (let end = base.length; end < whole.length; end++) {
    const cut = whole.slice(0, end);
    expect(joined(base, cut, whole), cut).toEqual({ text: whole, conflicts: none });
    expect(joined(base, whole, cut), cut).toEqual({ text: whole, conflicts: none });
  }
});

test('among like lines, what both have is there once, and what was taken away does not come back', () => {
  const base = 'second line\nsecond line\n';
  const ours = 'second NEW line\nsecond line\n';
  const theirs = 'second NEW line\nsecond line\n THEIRS';
  expect(joined(base, ours, theirs)).toEqual({ text: theirs, conflicts: none });
  expect(joined(base, theirs, ours)).toEqual({ text: theirs, conflicts: none });
  // One of them went here, and stays away.
  expect(joined(base, 'second line\n', `${base} THEIRS`).text).toBe('second line\n THEIRS');
});

test.each([9_000, 13_000, 250_000])(
  'two hands far apart in one line of %s characters meet nobody, and nothing of it is quoted',
  (length) => {
    const words = Array.from({ length: length / 9 }, (_, at) => `word${1_000 + at}`);
    const written = (at: number, word: string) => words.toSpliced(at * words.length, 0, word).join(' ');
    const both = words.toSpliced(words.length * 0.75, 0, 'THEIRS').toSpliced(words.length * 0.25, 0, 'OURS');
    expect(joined(words.join(' '), written(0.25, 'OURS'), written(0.75, 'THEIRS'))).toEqual({
      text: both.join(' '),
      conflicts: none,
    });
  },
);

const lorem = 'lorem ipsum dolor sit amet consectetur adipiscing elit sed do eiusmod tempor'.split(' ');
const longLines: Record<string, (at: number) => string> = {
  'words that are there once': (at) => `word${at}`,
  'a dozen words': (at) => lorem[(at * at * 7 + (at >> 3)) % 12] ?? '',
};
/** Each at a place of its own, and nowhere near together. */
const scattered = (words: readonly string[], count: number, who: string, first: number) => {
  const step = Math.floor(words.length / count);
  return words.flatMap((word, at) => (at % step === first % step ? [`${who}${at}`, word] : [word]));
};

test.each([50, 500, 1_500].flatMap((count) => Object.keys(longLines).map((kind) => [count, kind] as const)))(
  '%s words that each of two hands put here and there into one line of 30 KB, of %s, are there once',
  (count, kind) => {
    const words = Array.from({ length: 4_500 }, (_, at) => longLines[kind]?.(at) ?? '');
    const [ours, theirs] = [scattered(words, count, 'our', 0), scattered(words, count, 'their', 1)];
    const { text, conflicts } = joined(words.join(' '), ours.join(' '), theirs.join(' '));
    expect(conflicts).toEqual(none);
    const put = [...ours, ...theirs].filter((word) => /^(our|their)\d+$/.test(word));
    expect(text.split(' ').toSorted()).toEqual([...words, ...put].toSorted());
  },
);

test('a word that one replaces all over a long line and what the other puts here and there are both in it', () => {
  const words = Array.from({ length: 4_500 }, (_, at) => (at % 5 === 0 ? 'old' : `word${at}`));
  const replaced = (all: readonly string[]) => all.map((word) => (word === 'old' ? 'new' : word));
  const theirs = scattered(words, 500, 'their', 3);
  const sides = [words, replaced(words), theirs].map((all) => all.join(' ')) as [string, string, string];
  const both = { text: replaced(theirs).join(' '), conflicts: none };
  expect(joined(...sides)).toEqual(both);
  expect(joined(sides[0], sides[2], sides[1])).toEqual(both);
});

test('a long line that somebody wrote anew is replaced as one, and not woven into the old one', () => {
  const [old, other] = [1, 5].map((factor) =>
    Array.from({ length: 9_000 }, (_, at) => lorem[(at * factor * 7 + ((at * factor) >> 3)) % 12]).join(' '),
  ) as [string, string];
  let hunks = 0;
  diff(docOf(old), docOf(`${other} end`)).iterChanges(() => void hunks++);
  expect(hunks).toBeLessThan(3);
});

test('“both” is said only where both are there', () => {
  const base = 'one\ntwo\nthree';
  expect(joined(base, 'one\ntwo!\nthree', 'one\nthree').conflicts).toEqual({ both: 0, deleted: 1 });
  const { text, conflicts } = joined(base, 'one\nmine\nthree', 'one\nanother\nthree');
  expect(conflicts).toEqual({ both: 1, deleted: 0 });
  expect(text).toContain('mine');
  expect(text).toContain('another');
});

test('what one puts into a line where the other takes words out of it stays, and nothing of it is quoted', () => {
  const base = 'one two three four five';
  for (const [ours, theirs, both] of [
    ['one two NEW three four five', 'one five', 'one NEW five'],
    ['one five', 'one two NEW three four five', 'one NEW five'],
    ['one four five', 'one two five', 'one five'],
  ] as const) {
    const { text, conflicts } = joined(base, ours, theirs);
    expect([text.replace(/ +/g, ' '), conflicts]).toEqual([both, none]);
  }
  expect(joined('a\none two\nb', 'a\none NEW two\nb', 'a\n\nb').conflicts.deleted).toBe(1);
});

/** Lines of marks, each of which is in a text once. */
const edit = fc.record({
  line: fc.nat(11),
  kind: fc.constantFrom('insert', 'append', 'delete', 'replace', 'split'),
});

function edited(base: readonly string[], edits: readonly { line: number; kind: string }[], who: string) {
  const lines: string[] = [...base];
  const written: string[] = [];
  for (const [number, { line, kind }] of edits.entries()) {
    const mark = `‹${who}${number}›`;
    const at = line % Math.max(1, lines.length);
    if (kind === 'delete') lines.splice(at, 1);
    else {
      written.push(mark);
      if (kind === 'insert') lines.splice(at, 0, mark);
      else if (kind === 'append') lines[at] = `${lines[at] ?? ''} ${mark}`;
      else if (kind === 'split') lines.splice(at, 1, ...`${lines[at] ?? ''}\n${mark}`.split('\n'));
      else lines[at] = mark;
    }
  }
  return { text: lines.join('\n'), written: written.filter((mark) => lines.join('\n').includes(mark)) };
}

test('whatever both sides did: what each wrote is there once, and what nobody took away is there', {
  timeout: 120_000,
}, () => {
  const base = Array.from({ length: 12 }, (_, at) => `‹base${at}› words of the note`);
  const edits = fc.array(edit, { maxLength: 6 });
  fc.assert(
    fc.property(edits, edits, (our, their) => {
      const [ours, theirs] = [edited(base, our, 'our'), edited(base, their, 'their')];
      const { text } = joined(base.join('\n'), ours.text, theirs.text);
      const own = text.replaceAll(/^>.*$/gm, '');
      for (const mark of ours.written) expect(own.split(mark), `${mark} in\n${text}`).toHaveLength(2);
      for (const mark of theirs.written) {
        expect(text, `${mark} in\n${text}`).toContain(mark);
        expect(own.split(mark).length, `${mark} in\n${text}`).toBeLessThanOrEqual(2);
      }
      for (const line of base) {
        const [mark = ''] = line.split(' ');
        expect(own.split(mark).length, `${mark} in\n${text}`).toBeLessThanOrEqual(2);
        // It may be in a quote alone: which of two like lines was changed is not known.
        if (ours.text.includes(mark) && theirs.text.includes(mark))
          expect(text, `${mark} in\n${text}`).toContain(mark);
      }
    }),
    { numRuns: Number(process.env.FUZZ_RUNS ?? 3_000) },
  );
});

test('in one line, what each put is there once, what both left is there, and words that repeat confuse nobody', {
  timeout: 120_000,
}, () => {
  const edits = fc.array(fc.record({ at: fc.nat(30), takes: fc.boolean() }), { maxLength: 4 });
  fc.assert(
    fc.property(edits, edits, fc.nat(8), fc.constantFrom('', ' ', '-'), (our, their, count, between) => {
      const base = Array.from({ length: count + 1 }, (_, at) => `‹base${at}›`);
      const changed = (who: string, all: typeof our) => {
        const marks = [...base];
        for (const [number, { at, takes }] of all.entries()) {
          if (takes && marks.length > 1) marks.splice(at % marks.length, 1);
          else marks.splice(at % (marks.length + 1), 0, `‹${who}${number}›`);
        }
        return marks;
      };
      const [ours, theirs] = [changed('our', our), changed('their', their)];
      const { text } = joined(base.join(between), ours.join(between), theirs.join(between));
      for (const mark of [...ours, ...theirs])
        if (!base.includes(mark) || (ours.includes(mark) && theirs.includes(mark)))
          expect(text, `${mark} in\n${text}`).toContain(mark);
    }),
    { numRuns: Number(process.env.FUZZ_RUNS ?? 3_000) },
  );
});

test('lines that somebody puts at the end of a line that is just being typed come below it', () => {
  const base = docOf('# Day\nmar');
  const ours = ChangeSet.of({ from: base.length, insert: 'k-e-2-2' }, base.length);
  const theirs = ChangeSet.of({ from: base.length, insert: '\nTheirs.\n' }, base.length);
  const [ourDoc, theirDoc] = [ours.apply(base), theirs.apply(base)];
  const { changes, conflicts } = merge(base, { ours, theirs }, ourDoc, theirDoc);
  expect(changes.apply(ourDoc).toString()).toBe('# Day\nmark-e-2-2\nTheirs.\n');
  expect(conflicts).toEqual({ both: 0, deleted: 0 });
});

test.for(['hello ', 'hello'])(
  'the last words of “%s”, and the answer that somebody else begins there, are both whole',
  (line) => {
    const base = docOf(`${line}\n`);
    // As a run writes it: the line end behind the question is written anew.
    const answer = ChangeSet.of(
      { from: line.length, to: line.length + 1, insert: '\n\n#Bot : Yes.\n' },
      base.length,
      '\n',
    );
    const words = 'andWhateverElseIsTypedThereBeforeItIsAsked';
    const typed = docOf(`${line}${words}\n`);
    const answered = answer.apply(base);
    const toTyped = diff(base, typed);
    const whole = `${line}${words}\n\n#Bot : Yes.\n`;
    const running = merge(base, { ours: answer, theirs: toTyped }, answered, typed);
    expect([running.changes.apply(answered).toString(), running.conflicts]).toEqual([whole, none]);
    const typing = merge(base, { ours: toTyped, theirs: diff(base, answered) }, typed, answered);
    expect([typing.changes.apply(typed).toString(), typing.conflicts]).toEqual([whole, none]);
  },
);

test('a change that both made is made once', () => {
  const from = docOf('a\nb\nc');
  const same = ChangeSet.of({ from: 2, to: 3, insert: 'B' }, from.length);
  const text = docOf('a\nB\nc');
  expect(merge(from, { ours: same, theirs: same }, text, text).changes.empty).toBe(true);
});

/** Small texts that two hands changed close to each other; `!` stands for the head of the callout with theirs. */
test.each([
  ['', '', ' ', ' ', 0, 0],
  ['', ' ', '\n', '\n ', 0, 0],
  ['', '- ', 'a', 'a\n- ', 0, 0],
  ['', ' a', ' ', ' a', 0, 0],
  ['', '\n\n', '\n a', '\n a\n\n', 0, 0],
  ['a', 'a - ', 'a a', 'a a - ', 0, 0],
  ['x-', 'x so -', '', 'x so -', 0, 1],
  ['', 'so\na  \n', 'so ', 'so\na  \n!\n> so \n', 1, 0],
  ['', ' ba\n b', '\nb b', ' ba\nb b', 0, 0],
  ['a', ' x-', ' so a ', ' so  x- ', 0, 0],
  ['a', 'a\ntwo\n', 'a\nend.', 'a\nend.\ntwo\n', 0, 0],
  ['so\n', 'sso \n', 's\na\n\n', 'sso \n!\n> s\na\n\n', 1, 0],
  ['x-so ', 'x-s ', 'x\n-  ', 'x-s \n!\n> x\n> -  ', 1, 0],
  ['a', 'a so', 'a\nend. - ', 'a so\nend. - ', 0, 0],
  ['- ', '-  so', '- x\nb ba', '- x\nb ba\n so', 0, 0],
  ['\ntwo', '\ntw\no', '\ntwso\no', '\ntwso\no', 0, 0],
  ['', '\nso\nsoso b b ', 'a so', '\n!\n> a so\nso\nsoso b b ', 1, 0],
  ['twob b', 't so wob b', 'twb b\ne', 't so wob b\n!\n> twb b\n> e', 1, 0],
  ['\ntwo word\n', '\n d\n - ', '\ntwo wo\nx-end.end- \n\n', '\n d\n - x-end.end- \n!\n> two wo\n\n', 1, 0],
  ['end.\nx-  word', 'end.\nx b bd.-  word', 'en\nword', 'en\n b bd.word', 0, 0],
  ['word\nend. so', 'word- \n\nend. so', 'word\n\nend.d. so', 'word- \n\nend.d. so', 0, 0],
  ['wordoneb b\nso x-', 'wordo- neb b\nso x-', 'wordoneb\nso x-', 'wordo-neb \nso x-', 0, 0],
  [
    'so so\ntwo two',
    'so so\n onet onewo two',
    'so so\ntone\nwo\ntwo',
    'so so\ntone\nwo\n onet onewo two',
    0,
    1,
  ],
  ['end. so  a\nso so', 'end.a\nwo\n a\nso so', 'end. \nso two a\nso so', 'end.\ntwoa\nwo\n a\nso so', 0, 0],
  ['end.\nso word\nx-', 'end word.\nso word\nx-', 'endword.\nso word\nx-', 'end word.\nso word\nx-', 0, 0],
  [
    'one\nword\nso  b b',
    'one\nword\nend.so - b',
    'one\nword\nso  btwo\nb',
    'one\nword\nend.so - b\n!\n> so  btwo\n> b',
    1,
    1,
  ],
  [
    'word end.\n  x-\nso  one end.\nasoa',
    'w\nx-b b\n  x-\nsone so one\no  one end.\nasoa',
    'word end.end.\n  x-\n aone end.\nasoa',
    'w\nx-b bend.\n  x-\nsone  one\no aone end.\nasoa',
    0,
    0,
  ],
])('%j, which became %j here and %j there, is joined as %j', (base, ours, theirs, text, both, deleted) => {
  const written = text.replaceAll('!', `> [!warning] ${conflictTitle}`);
  expect(joined(base, ours, theirs)).toEqual({ text: written, conflicts: { both, deleted } });
});

/** What another program made of the question; what stands above the answer then. */
const besideAnswer: readonly (readonly [string, string, string, string])[] = [
  ['a line below it', 'ask\n', 'ask\nK\n', 'ask\nK'],
  ['a paragraph below it', 'ask\n', 'ask\n\nK\n', 'ask\n\nK'],
  ['a line without an end', 'ask\n\n', 'ask\n\n\n  - K', 'ask\n\n\n  - K'],
  ['code below it', 'ask\n', 'ask\n```js\nK\n```\n', 'ask\n```js\nK\n```'],
  ['the question in code', 'ask\n', '```\nask\n```\n', '```\nask\n```'],
  ['the question and a blank line in code', 'ask\n', '```\nask\n\n```', '```\nask\n\n```'],
  ['a line and a heading', 'ask\n\n', 'ask\nK\n\n# K2\n', 'ask\nK\n\n# K2'],
];
const head = '#User : ';

test.each(besideAnswer)('what another program puts to a question is not said by its answer: %s', (...row) => {
  const [, before, theirs, above] = row;
  for (const answer of ['one', '```js\none\n```', ''])
    for (const rest of ['', '\n#User : next\n'])
      for (const [typed, end] of [
        ['', '\n'],
        [' more', '\n'],
        ['', ''],
      ] as const) {
        const [base, other] = [head + before + rest, docOf(head + theirs + rest)];
        const insert = `${typed}\n\n#Local : ${answer}`;
        // As the session has it: where the answer was put, with the line break behind the question.
        const from = head.length + 'ask'.length;
        const ours = ChangeSet.of(
          { from, to: from + 1, insert: docOf(insert + (rest === '' ? end : '\n')) },
          base.length,
        );
        const our = ours.apply(docOf(base));
        const { changes } = merge(docOf(base), { ours, theirs: diff(docOf(base), other) }, our, other);
        const merged = changes.apply(our).toString();
        const [question] = merged.split('\n\n#Local : ');
        expect(question, merged).toBe(head + (typed === '' ? above : above.replace('ask', `ask${typed}`)));
        expect(merged).toContain(`\n\n#Local : ${answer}`);
        if (rest !== '') expect(merged.trimEnd().endsWith('\n#User : next')).toBe(true);
      }
});

test('a turn that another program puts below a question is not taken for its answer', () => {
  const base = '#User : ask';
  const theirs = docOf('#User : ask\n\n#User : Thanks\n');
  const ours = ChangeSet.of({ from: base.length, insert: docOf('\n\n#Local : \n\n```js\none') }, base.length);
  const our = ours.apply(docOf(base));
  const { changes, conflicts } = merge(docOf(base), { ours, theirs: diff(docOf(base), theirs) }, our, theirs);
  const merged = changes.apply(our).toString();
  expect(merged).toContain('\n\n#User : Thanks\n');
  expect(merged).toContain('\n\n#Local : \n\n```js\none');
  expect(conflicts).toEqual(none);
});
