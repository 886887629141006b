import { demoQuick, expect, test } from './support/fixtures';

test.use({
  settings: demoQuick,
  notes: { 'Question.md': '#User : Sum up ![[Paper.pdf]]\n', 'Paper.pdf': '%PDF-1.4\n' },
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
