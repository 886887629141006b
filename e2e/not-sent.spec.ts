import { demoQuick, expect, test } from './support/fixtures';

test.use({
  settings: demoQuick,
  notes: {
    'Question.md': '#User : Sum up ![[Paper.pdf]]\n',
    'Behind.md': '#User : Look\n\nHere it is: ![[Paper.pdf]]\n\n#Demo : \n',
    'Paper.pdf': '%PDF-1.4\n',
  },
});

test('what the model does not take is said beside the button, before it is asked, and goes when it is taken out', async ({
  app,
}) => {
  const { page } = app;
  await app.openNote('Question');
  await page.getByText('Sum up').click();
  await page.keyboard.press('End');
  const notSent = page.locator('.note-bar').getByRole('button', { name: /1 thing is not sent/ });
  await expect(notSent).toBeVisible({ timeout: 20_000 });
  await expect(notSent).toHaveAccessibleName(/Paper\.pdf.*does not take application\/pdf/);
  await notSent.hover();
  await expect(page.getByRole('tooltip')).toContainText('does not take application/pdf');
  await page.locator('.cm-content').click();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('#User : Hello');
  await expect(notSent).toBeHidden({ timeout: 20_000 });
});

test('what would not be sent is said wherever in the question the cursor is, and where its answer waits', async ({
  app,
}) => {
  const { page } = app;
  await app.openNote('Behind');
  const notSent = page.locator('.note-bar').getByRole('button', { name: /1 thing is not sent/ });
  await expect(notSent).toBeVisible({ timeout: 20_000 });
  await page.getByText('Look').click();
  for (const key of ['ControlOrMeta+End', 'ControlOrMeta+Home']) {
    await page.keyboard.press(key);
    // Longer than a pause of typing, after which it is asked anew.
    await page.waitForTimeout(1_500);
    await expect(notSent).toBeVisible();
  }
});
