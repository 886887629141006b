import { expect, test } from './support/fixtures';

const card = '> [!thinking]- 3 s\n> Let me see.';
const note = `#User : hi\n\n${card}\n\n#Demo : Yes.\n\n#User : and now?\n`;

test.use({ notes: { 'Keys.md': note, 'Cursor.md': note } });

test('after a click on the header of a card in a note just opened, the keys are at the card', async ({
  app,
}) => {
  const { page } = app;
  await app.openNote('Keys');
  const toggle = page.locator('.cm-card-toggle');
  await toggle.click();
  await expect(toggle).toHaveAttribute('aria-expanded', 'true');
  await expect(toggle).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(toggle).toHaveAttribute('aria-expanded', 'false');
  await expect(toggle).toBeFocused();
  expect(await app.readNote('Keys.md')).toBe(note);
  await page.keyboard.type('Typed on');
  await expect.poll(() => app.readNote('Keys.md')).toBe(note.replace(card, `${card}\n\nTyped on`));
});

test('where the cursor is in the note already, it stays there', async ({ app }) => {
  const { page } = app;
  await app.openNote('Cursor');
  await page.getByText('and now?').click();
  await page.keyboard.press('End');
  await page.locator('.cm-card-toggle').click();
  await page.keyboard.type(' Yes');
  await expect.poll(() => app.readNote('Cursor.md')).toBe(note.replace('now?', 'now? Yes'));
});
