import { expect, test } from './support/fixtures';

const card = '> [!failure]- No answer\n> The provider said no.\n> Ask again.';
const note = `#User : hi\n\n#Demo : Some words.\n\n${card}`;
const frontMatter = '---\nprovider: Demo\n---';

const rows = [
  {
    where: 'below a card that ends its note',
    note,
    key: 'End',
    becomes: `${note}\n\n#User : And now\nagain`,
  },
  {
    where: 'above a card that begins its note',
    note: `${card}\n\nwords\n`,
    key: 'Home',
    becomes: `And now\nagain\n\n${card}\n\nwords\n`,
  },
  {
    where: 'below front matter that is all of its note',
    note: frontMatter,
    key: 'End',
    becomes: `${frontMatter}\n\nAnd now\nagain`,
  },
  {
    where: 'below front matter, from the beginning of its note',
    note: `${frontMatter}\n\nwords\n`,
    key: 'Home',
    becomes: `${frontMatter}\n\nAnd now\nagain\n\nwords\n`,
  },
];

test.use({
  notes: {
    ...Object.fromEntries(rows.map(({ note }, row) => [`Row ${row}.md`, note])),
    'Words.md': 'copied',
    'Pasted.md': note,
    'Enter.md': note,
  },
});

test('what is typed or pasted at the edge of a card or of front matter gets a line of its own there', async ({
  app,
}) => {
  const { page } = app;
  for (const [row, { where, key, becomes }] of rows.entries())
    await test.step(where, async () => {
      await app.openNote(`Row ${row}`);
      await page.locator('.note .cm-content').click();
      await page.keyboard.press(`ControlOrMeta+${key}`);
      await page.keyboard.type('And');
      await page.keyboard.type(' now');
      await page.keyboard.press('Enter');
      await page.keyboard.type('again');
      await expect.poll(() => app.readNote(`Row ${row}.md`)).toBe(becomes);
    });

  await test.step('pasted', async () => {
    await app.openNote('Words');
    await page.locator('.note .cm-content').click();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.press('ControlOrMeta+c');
    await app.openNote('Pasted');
    await page.locator('.note .cm-content').click();
    await page.keyboard.press('ControlOrMeta+End');
    await page.keyboard.press('ControlOrMeta+v');
    await expect.poll(() => app.readNote('Pasted.md')).toBe(`${note}\n\n#User : copied`);
  });

  await test.step('Enter', async () => {
    await app.openNote('Enter');
    await page.locator('.note .cm-content').click();
    await page.keyboard.press('ControlOrMeta+End');
    await page.keyboard.press('Enter');
    await page.keyboard.type('x');
    await expect.poll(() => app.readNote('Enter.md')).toBe(`${note}\n\n#User : x`);
  });
});
