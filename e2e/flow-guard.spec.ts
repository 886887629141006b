import { benchName, benchTool, callsMade, unknownBench } from './support/bench';
import { calling, expect, settingsFor, spoken, test as withProvider } from './support/provider';

const test = withProvider.extend({
  settings: ({ provider }, use) =>
    use({ ...settingsFor(provider), tools: { approval: 'allow', cache: 'run' } }),
});
test.use({
  servers: unknownBench,
  notes: { 'Diary.md': 'The tulips are under the shed.\n', 'Talk.md': '#User : Look into [[Diary]].\n' },
});

const look = (word: string) => ({ body: calling([benchTool('look'), { word }]) });

test('a call that is allowed and can send says what was read, and is answered by keyboard', async ({
  app,
  provider,
}) => {
  const { page } = app;
  await app.openNote('Talk');
  await page.locator('.cm-content').click();
  await page.keyboard.press('ControlOrMeta+End');
  provider.answer(look('first'), look('second'), look('third'), { body: spoken('Looked.') });
  await page.keyboard.press('ControlOrMeta+Enter');

  const card = page.getByRole('article', { name: 'May look send something out?' });
  await expect(card).toContainText('Private, and could go out');
  await expect(card.locator('dd').first()).toHaveText('note Diary.md');
  await expect(card).toContainText('Others may have written');
  await expect(card).toContainText('first');
  expect(callsMade()).toEqual([]);
  for (const theme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: theme });
    await card.screenshot({ path: test.info().outputPath(`question-${theme}.png`) });
  }
  await expect(page.locator('.approval[data-armed="true"]')).toBeVisible();
  await page.keyboard.press('Alt+n');

  await expect(card).toContainText('second');
  await expect(page.locator('.approval[data-armed="true"]')).toBeVisible();
  await page.keyboard.press('Alt+y');
  await expect.poll(callsMade).toEqual(['look second']);

  // What it has read itself is news.
  await expect(card).toContainText(`${benchName} · look`);
  await card.getByRole('button', { name: 'Allow in this conversation' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.locator('.cm-content')).toContainText('Looked.');
  expect(callsMade()).toEqual(['look second', 'look third']);
  await expect(card).toHaveCount(0);

  // What was said for this conversation was for what was shown: another word is another thing that it reads and sends.
  await page.keyboard.press('ControlOrMeta+End');
  await page.keyboard.insertText('Once more.');
  provider.answer(look('fourth'), { body: spoken('Looked again.') });
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect(card).toContainText('fourth');
  expect(callsMade()).toEqual(['look second', 'look third']);
  await expect(page.locator('.approval[data-armed="true"]')).toBeVisible();
  await page.keyboard.press('Alt+y');
  await expect(page.locator('.cm-content')).toContainText('Looked again.');
  expect(callsMade()).toEqual(['look second', 'look third', 'look fourth']);
});

test('what a tool reads and whether it sends is seen on its page, and the person’s to say', async ({
  app,
  provider,
}) => {
  const { page } = app;
  await app.openNote('Talk');
  await page.keyboard.press('ControlOrMeta+Shift+T');
  const browser = page.getByRole('dialog', { name: 'Tool browser' });
  await browser.getByText('look', { exact: true }).first().click();
  const flow = browser.getByRole('group', { name: 'What it reads and sends' });
  await expect(flow).toContainText('not known: the worst is assumed');
  const sends = flow.getByRole('switch', { name: 'Can send outward' });
  await expect(sends).toBeChecked();
  await browser.screenshot({ path: test.info().outputPath('tool.png') });
  await sends.focus();
  await page.keyboard.press('Space');
  await expect(sends).not.toBeChecked();
  await expect(flow.getByRole('button', { name: 'As the app knows it' })).toBeVisible();
  await page.keyboard.press('Escape');

  await page.locator('.cm-content').click();
  await page.keyboard.press('ControlOrMeta+End');
  provider.answer(look('unasked'), { body: spoken('Looked.') });
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect(page.locator('.cm-content')).toContainText('Looked.');
  expect(callsMade()).toEqual(['look unasked']);
});
