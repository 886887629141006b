import { bench, benchName, blockOf, callsMade } from './support/bench';
import { demoAtOnce, expect, openNote, test } from './support/fixtures';

const large = '12345678901234567890';
test.use({
  settings: { ...demoAtOnce, tools: { approval: 'ask' } },
  servers: bench,
  notes: {
    'Edit.md': `${blockOf('look', 'asked')}\n`,
    'Number.md': `\`\`\`${benchName}\ntool: look\nword: large\nn: ${large}\n\`\`\`\n`,
  },
});

test('edited arguments that cannot be sent as they stand leave the call waiting, whichever way it is allowed', async ({
  app,
}) => {
  const { page } = app;
  await app.openNote('Edit');
  await page.getByRole('button', { name: /^Run Ctrl/ }).click();
  const card = page.locator('.approval-dock .approval');
  await expect(page.locator('.approval-dock .approval[data-armed="true"]')).toBeVisible();
  const other = await app.secondWindow();
  await openNote(other, 'Edit');
  const otherCard = other.locator('.approval-dock .approval');
  await expect(other.locator('.approval-dock .approval[data-armed="true"]')).toBeVisible();

  await card.getByRole('button', { name: 'Edit' }).click();
  const box = card.getByLabel('Arguments as JSON');
  const problem = card.getByRole('alert');
  const fromMenu = async (item: RegExp) => {
    await card.getByRole('button', { name: 'Allow more' }).click();
    await page.getByRole('menuitem', { name: item }).click();
  };
  const ways = [
    () => card.getByRole('button', { name: /^Allow once/ }).click(),
    () => fromMenu(/^Allow in this note/),
    () => fromMenu(/^Always allow this tool/),
    () => fromMenu(/^Always allow all/),
    () => page.keyboard.press('Alt+y'),
    () => page.keyboard.press('Alt+a'),
  ];
  for (const [text, said] of [
    ['{"word": 5}', 'do not fit the tool “look”'],
    [`{"word": "edited", "n": [${large}]}`, large],
  ] as const)
    for (const allow of ways) {
      await box.fill('{}');
      await expect(problem).toHaveCount(0);
      await box.fill(text);
      await allow();
      await expect(problem).toContainText(said);
      await expect(box).toHaveValue(text);
      await expect(card.getByRole('button', { name: /^Allow once/ })).toBeEnabled();
    }
  await otherCard.getByRole('button', { name: 'Edit' }).click();
  await otherCard.getByLabel('Arguments as JSON').fill('{"word": [5]}');
  await otherCard.getByRole('button', { name: /^Allow once/ }).click();
  await expect(otherCard.getByRole('alert')).toContainText('do not fit');
  await expect(card).toBeVisible();
  expect(await app.readNote('Edit.md')).toContain('result running');

  await box.fill('{"word": "edited"}');
  await card.getByRole('button', { name: /^Allow once/ }).click();
  await expect.poll(() => app.readNote('Edit.md')).toContain('found edited');
  await expect(otherCard).toHaveCount(0);
  expect(callsMade()).toEqual(['look edited']);
});

test('a block with a number that would be sent as another one is not called, and says which', async ({
  app,
}) => {
  const { page } = app;
  await app.openNote('Number');
  await page.locator('.cm-line', { hasText: 'word: large' }).click();
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect(page.getByText(`the number ${large}`).first()).toBeVisible();
  expect(callsMade()).toEqual([]);
  expect(await app.readNote('Number.md')).toContain(`n: ${large}`);
});
