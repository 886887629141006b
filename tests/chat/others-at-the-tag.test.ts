import { expect, test } from 'vitest';
import { createHouse } from './support/house';
import { says } from './support/scripted-provider';

test.each([
  ['typed in the old answer', 'words', 'K1K'],
  ['typed as a line in it', 'words', 'K1K\n'],
])('what is %s as it goes stands apart from the new one’s tag', async (_what, there, words) => {
  const note = '#User : hi\n\n#Claude : OLD words here.\n\n#User : NEXT\n';
  const house = createHouse({
    note,
    scripts: [
      async function* () {
        const { version } = house.note;
        const at = house.note.text().indexOf(there);
        yield { kind: 'text', text: 'NEW one.' };
        house.clock.advance(50);
        expect(house.note.text()).not.toContain('OLD');
        // Typed before the window heard that the old one went.
        house.note.edit('person', { from: house.note.mapFrom(version, at, 1), insert: words });
        yield* says(' NEW two.');
      },
    ],
  });
  await house.answer(note.indexOf('OLD'), { replace: true });
  const text = house.note.text();
  expect(text).toMatch(/^#Claude : NEW one\. NEW two\.$/m);
  expect(text).toContain('K1K');
});

test('a turn that takes over the tag that waits is not cut by the answer', async () => {
  const house = createHouse({
    note: '#User : hi',
    scripts: [
      async function* () {
        await Promise.resolve();
        const from = house.note.text().indexOf('Claude');
        // As a comparison by words sees that another program has put “#User : K1K” there.
        house.note.edit('disk', { from, to: from + 6, insert: 'User' });
        house.note.edit('disk', { from: house.note.text().length, insert: 'K1K\n' });
        yield { kind: 'text', text: 'NEW one.' };
        yield* says('');
      },
    ],
  });
  await house.answer(9);
  expect(house.note.text()).toContain('#User : K1K');
  expect(house.note.text()).toMatch(/^#Claude : NEW one\.$/m);
});

test.each([1, 2, 3])(
  'blanks that somebody puts into a tag that waits leave it that: %s of them',
  async (count) => {
    const house = createHouse({
      note: '#User : hi\n\n#Claude : ',
      scripts: [
        async function* () {
          const colon = house.note.text().indexOf('Claude :') + 'Claude :'.length;
          house.note.edit('person', { from: colon + 1, insert: ' '.repeat(count) });
          house.note.edit('person', { from: colon, insert: ' '.repeat(count) });
          house.note.edit('person', { from: '#User : hi'.length, insert: ' there' });
          yield { kind: 'text', text: 'NEW one.' };
          yield* says('');
        },
      ],
    });
    await house.answer(house.note.text().length);
    expect(house.note.text()).toMatch(/^#User : hi there\n\n#Claude : +NEW one\.\s*(#User : )?$/);
  },
);

test('a tag that waits has one blank behind it', async () => {
  const house = createHouse({ note: '#User : hi\n\n#Claude : ', scripts: [() => says('NEW one.')] });
  await house.answer(house.note.text().length);
  expect(house.note.text()).toBe('#User : hi\n\n#Claude : NEW one.\n\n#User : ');
});

test('a turn that the person indents while code in a list is written above it stays one', async () => {
  const house = createHouse({
    note: '#User : hi\n\n#User : NEXT\n',
    scripts: [
      async function* () {
        yield { kind: 'text', text: '- a\n\n  ```js\n  M1M' };
        house.clock.advance(50);
        house.note.edit('person', { from: house.note.text().indexOf('#User : NEXT'), insert: '    ' });
        for (const text of ['\n  ```\n\nM2M', '\n\nM3M']) {
          yield { kind: 'text', text };
          house.clock.advance(50);
        }
        yield* says('');
      },
    ],
  });
  await house.answer(9);
  expect(house.note.text()).toMatch(/M3M\n\n#User : NEXT\n$/);
});

test('the line that ends code in a quote is not cut where the answer comes to stand in it', async () => {
  const house = createHouse({
    note: '#User : hi\n\n#User : NEXT\n',
    scripts: [
      async function* () {
        yield { kind: 'text', text: 'M1M Z' };
        house.clock.advance(50);
        const at = house.note.text().indexOf('Z');
        // As a comparison sees what another program has put in its place.
        house.note.edit('disk', { from: at + 1, insert: '```' });
        house.note.edit('disk', { from: at, insert: '\n\n> ```js\n> code\n> ' });
        house.note.edit('disk', {
          from: house.note.text().indexOf('Z'),
          to: house.note.text().indexOf('Z') + 1,
          insert: '',
        });
        expect(house.note.text()).toContain('> code\n> ```\n\n#User');
        for (const text of ['M2M', ' M3M']) {
          yield { kind: 'text', text };
          house.clock.advance(50);
        }
        yield* says('');
      },
    ],
  });
  await house.answer(9);
  expect(house.note.text()).toContain('M1M \n\n> ```js\n> code\n> ```\n\nM2M M3M\n\n#User : NEXT');
});
