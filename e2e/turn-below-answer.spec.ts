import { expect, test } from './support/fixtures';

const card =
  '> [!tool]- vault · list_files · 9 ms\n> ```vault\n> tool: list_files\n> ```\n> ```result ok ms=9\n> nine\n> ```';
const said = '#User : q\n\n#Demo : Let me look.';

const rows = [
  { where: 'below its last card', note: `${said}\n\n${card}\n` },
  { where: 'below a card that ends the note', note: `${said}\n\n${card}` },
  { where: 'on an empty line behind it', note: `${said}\n\n` },
];

test.use({
  notes: {
    ...Object.fromEntries(rows.map(({ note }, row) => [`Row ${row}.md`, note])),
    'Edited.md': `${said}\n`,
    'By hand.md': `${said}\n\n`,
  },
});

for (const [row, { where, note }] of rows.entries())
  test(`what is typed ${where} is the person’s next turn, and one undo takes it back`, async ({ app }) => {
    const { page } = app;
    const name = `Row ${row}`;
    const read = () => app.readNote(`${name}.md`);
    await app.openNote(name);
    const box = (await page.locator('.note .cm-content').boundingBox())!;
    const last = (await page.locator('.cm-card, .cm-line').last().boundingBox())!;
    await page.mouse.click(box.x + box.width / 2, last.y + last.height + 60);
    await page.keyboard.type('Mine');
    await expect.poll(read).toBe(`${note.trimEnd()}\n\n#User : Mine`);
    await page.keyboard.press('ControlOrMeta+z');
    await expect.poll(read).toBe(note);
    // Whoever took it back writes in the answer.
    await page.keyboard.type('Its');
    await expect.poll(read).toMatch(/\n+Its$/);
    expect(await read()).not.toContain('#User : Its');
  });

test('who writes on behind the last words of an answer changes it', async ({ app }) => {
  const { page } = app;
  await app.openNote('Edited');
  await page.getByText('Let me look.').click();
  await page.keyboard.press('End');
  await page.keyboard.type(' There.');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  await page.keyboard.type('And here.');
  await expect.poll(() => app.readNote('Edited.md')).toBe(`${said} There.\n\nAnd here.\n`);
});

test('a turn begun by hand below an answer is as it is written', async ({ app }) => {
  const { page } = app;
  await app.openNote('By hand');
  await page.locator('.note .cm-content').click();
  await page.keyboard.press('ControlOrMeta+End');
  await page.keyboard.type('#User : hi');
  await expect.poll(() => app.readNote('By hand.md')).toBe(`${said}\n\n#User : hi`);
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.insertText(`${said}\n\n`);
  await page.keyboard.press('ControlOrMeta+End');
  await page.keyboard.type('```js');
  await expect.poll(() => app.readNote('By hand.md')).toContain(`${said}\n\n#User : \n\`\`\`js`);
});
