import { bench, benchTool } from './support/bench';
import { calling, expect, settingsFor, spoken, test } from './support/provider';

const late = { timeout: 30_000 };

test.use({
  servers: bench,
  settings: async ({ provider }, use) => {
    await use({ ...settingsFor(provider), tools: { approval: 'ask' } });
  },
  notes: {
    'Ask.md': '#User : Look.',
    'Asked.md': '#User : Are you there?',
    'Block.md': '```vault\ntool: list_notes\n```\n',
    'Gone.md': 'Stays here.\n',
  },
});

const silent = 'The app does not answer.';

test('what was pressed while the core stood still is said not to be done, and is not done when it goes on', async ({
  app,
  provider,
}) => {
  const { page } = app;
  provider.answer({ body: calling([benchTool('look'), { word: 'far' }]) }, { body: spoken('Fine.') });
  await app.openNote('Ask');
  await page.locator('.cm-content').click();
  await page.keyboard.press('ControlOrMeta+End');
  await page.keyboard.press('ControlOrMeta+Enter');
  const card = page.locator('.approval-dock .approval');
  await expect(card.getByRole('button', { name: /^Allow once/ })).toBeEnabled(late);
  const asked = provider.requests.length;

  const goOn = app.freeze();
  await card.getByRole('button', { name: /^Allow once/ }).click();
  await expect(card).toHaveAttribute('aria-busy', 'true');
  for (const button of await card.getByRole('button').all()) await expect(button).toBeDisabled();
  await page.getByTestId('left').getByRole('button', { name: 'New note' }).click();
  await expect(page.getByText(silent)).toBeVisible(late);
  await expect(card.getByRole('button', { name: /^Allow once/ })).toBeDisabled();
  goOn();
  await expect(page.getByText(silent)).toHaveCount(0, late);
  await expect(card.getByRole('button', { name: /^Allow once/ })).toBeEnabled();
  // Whatever the core does late it does before this.
  await app.writeNote('Written.md', 'Now.\n');
  await expect(page.getByRole('treeitem', { name: 'Written' })).toBeVisible(late);
  await expect(page.getByRole('treeitem', { name: 'Untitled' })).toHaveCount(0);
  expect(provider.requests.length).toBe(asked);
  await card.getByRole('button', { name: /^Allow once/ }).click();
  await expect.poll(() => app.readNote('Ask.md'), late).toContain('Fine.');
});

test('an answer and a call asked of a core that stands still are told of, and words typed meanwhile are kept', async ({
  app,
  provider,
}) => {
  const { page } = app;
  provider.answer({ body: spoken('Here.') });
  const writes = async (note: string, words: string) => {
    await app.openNote(note);
    await page.locator('.cm-content').click();
    await page.keyboard.press('ControlOrMeta+End');
    await page.keyboard.type(words);
  };
  await writes('Asked', ' Or');
  const first = app.freeze();
  await page.keyboard.press('ControlOrMeta+Enter');
  await page.keyboard.type(' not?');
  await expect(page.getByText(silent)).toBeVisible(late);
  await expect(page.getByText('nothing was done')).toBeVisible(late);
  first();
  await expect.poll(() => app.readNote('Asked.md'), late).toBe('#User : Are you there? Or not?');
  await expect(page.getByText(silent)).toHaveCount(0);
  expect(provider.requests.length).toBe(0);

  await app.openNote('Block');
  await page.locator('.cm-line', { hasText: 'tool: list_notes' }).click();
  const second = app.freeze();
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect(page.getByText(silent)).toBeVisible(late);
  await expect(page.getByText('Look whether it was done')).toBeVisible(late);
  second();
  await expect(page.getByText(silent)).toHaveCount(0, late);
  await app.writeNote('Written.md', 'Now.\n');
  await expect(page.getByRole('treeitem', { name: 'Written' })).toBeVisible(late);
  expect(await app.readNote('Block.md')).toBe('```vault\ntool: list_notes\n```\n');
});

test('a core that stands still for a moment does what was asked of it, once', async ({ app }) => {
  const { page } = app;
  const goOn = app.freeze();
  await page.getByTestId('left').getByRole('button', { name: 'New note' }).click();
  await page.waitForTimeout(3_000);
  goOn();
  await expect(page.getByRole('treeitem', { name: 'Untitled' })).toHaveCount(1, late);
  await app.writeNote('Written.md', 'Now.\n');
  await expect(page.getByRole('treeitem', { name: 'Written' })).toBeVisible(late);
  await expect(page.getByRole('treeitem', { name: /Untitled/ })).toHaveCount(1);
});
