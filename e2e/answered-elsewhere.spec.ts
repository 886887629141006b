import { bench, blockOf, callsMade } from './support/bench';
import { type AppUnderTest, demoAtOnce, expect, openNote, test } from './support/fixtures';

const names = ['Reason', 'Arguments', 'Listed', 'Tray', 'Upper', 'Lower'];
test.use({
  settings: { ...demoAtOnce, tools: { approval: 'ask' } },
  servers: bench,
  notes: {
    'Empty.md': 'No call.\n',
    'Two.md': `${blockOf('look', 'first')}\n\nbetween\n\n${blockOf('look', 'second')}\n`,
    'Three.md': `${['one', 'two', 'three'].map((word) => blockOf('look', word)).join('\n\nbetween\n\n')}\n`,
    ...Object.fromEntries(names.map((name) => [`${name}.md`, `${blockOf('look', name)}\n`])),
  },
});

const armed = '.approval-dock .approval[data-armed="true"]';
const list = ({ page }: AppUnderTest) => page.getByRole('dialog', { name: /for you$/ });
const tray = ({ page }: AppUnderTest) => page.locator('.approval-tray');

async function runIn(app: AppUnderTest, name: string): Promise<void> {
  await app.openNote(name);
  await app.page.getByRole('button', { name: /^Run Ctrl/ }).click();
  await expect(app.page.locator(armed)).toContainText(name);
}

/** Another window in which the same call can be answered. */
async function besides(app: AppUnderTest, name: string) {
  const other = await app.secondWindow();
  await openNote(other, name);
  await expect(other.locator(armed)).toBeVisible();
  return other;
}

const letters = 'abcdefghijklmnopqrstuvwxyz';

for (const [name, button] of [
  ['Reason', /^Deny with/],
  ['Arguments', /^Edit/],
] as const)
  test(`what is typed into the card of a call that another window answers gets into no note: ${name}`, async ({
    app,
  }) => {
    const { page } = app;
    await runIn(app, name);
    const other = await besides(app, name);
    await page.locator('.approval-dock').getByRole('button', { name: button }).click();
    const typed = page.keyboard.type(letters, { delay: 60 });
    await other.keyboard.press('Alt+n');
    await typed;
    await expect(page.locator('.approval-dock .approval')).toHaveCount(0);
    await expect(page.locator('.cm-content')).toBeFocused();
    await expect.poll(() => app.readNote(`${name}.md`)).toContain('result denied');
    expect(await app.readNote(`${name}.md`)).not.toContain('xyz');
  });

test('nor does what is typed in the list, which then closes', async ({ app }) => {
  const { page } = app;
  await runIn(app, 'Listed');
  const other = await besides(app, 'Listed');
  await app.openNote('Empty');
  await page.locator('.cm-content').click();
  await tray(app).click();
  await list(app)
    .getByRole('button', { name: /^Deny with/ })
    .click();
  const typed = page.keyboard.type(letters, { delay: 60 });
  await other.keyboard.press('Alt+n');
  await typed;
  await expect(list(app)).toHaveCount(0);
  await expect(page.locator('.cm-content')).toBeFocused();
  expect(await app.readNote('Empty.md')).toBe('No call.\n');
});

test('who closes the list with Escape types on in the note, and no key presses a button of it', async ({
  app,
}) => {
  const { page } = app;
  await runIn(app, 'Tray');
  await app.openNote('Empty');
  await page.getByText('No call.').click();
  await page.keyboard.press('End');
  await tray(app).click();
  await expect(list(app)).toBeVisible();
  await page.keyboard.press('Space');
  await page.keyboard.press('Escape');
  await page.keyboard.type(' and then yes');
  await expect.poll(() => app.readNote('Empty.md')).toBe('No call. and then yes\n');
  expect(callsMade()).not.toContain('look Tray');
});

test('the palette answers the call that it was opened on, and shows the list by name', async ({ app }) => {
  const { page } = app;
  await app.openNote('Two');
  for (const word of ['first', 'second']) {
    await page.getByText(`word: ${word}`).click();
    await page.keyboard.press('Control+Enter');
  }
  await expect(page.locator(armed)).toContainText('first');
  const other = await besides(app, 'Two');
  await page.keyboard.press('Control+p');
  await page.keyboard.type('Allow once');
  const offered = page.getByRole('option', { name: /^Allow once/ });
  await expect(offered).toBeVisible();
  await other.keyboard.press('Alt+n');
  await expect.poll(() => app.readNote('Two.md')).toContain('result denied');
  await expect(offered).toHaveCount(0);
  await page.keyboard.press('Enter');
  await page.keyboard.press('Escape');
  await expect(page.locator(armed)).toContainText('second');
  expect(callsMade()).not.toContain('look second');

  await app.openNote('Empty');
  await page.keyboard.press('Control+p');
  await page.keyboard.type('waits for you');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'Commands' })).toHaveCount(0);
  await expect(list(app)).toContainText('second');
});

test('a second click in the list does not answer the call that has come under the pointer', async ({
  app,
}) => {
  const { page } = app;
  await runIn(app, 'Upper');
  await runIn(app, 'Lower');
  await app.openNote('Empty');
  await tray(app).click();
  const last = list(app).locator('.approval').last();
  await expect(last).toContainText('Lower');
  await expect(page.locator('.approval-list')).toHaveAttribute('data-fresh', 'false');
  const box = await last.getByRole('button', { name: /^Allow once/ }).boundingBox();
  if (!box) throw new Error('not drawn');
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.click(x, y);
  await expect(list(app).locator('.approval')).toHaveCount(1);
  await page.mouse.click(x, y);
  await expect.poll(callsMade).toContain('look Lower');
  await expect(list(app).locator('.approval')).toContainText('Upper');
  await page.keyboard.press('Control+,');
  await expect(page.getByRole('dialog', { name: 'Settings' })).toBeVisible();
  await expect(list(app)).toHaveCount(0);
  expect(callsMade()).not.toContain('look Upper');
});

test('no click answers a call that has only just come to where another one stood', async ({ app }) => {
  const { page } = app;
  await app.openNote('Three');
  for (const word of ['one', 'two', 'three']) {
    await page.getByText(`word: ${word}`).click();
    await page.keyboard.press('Control+Enter');
  }
  const card = page.locator('.approval-dock .approval');
  await expect(page.locator('.approval-dock')).toContainText('Then 2 more');
  await expect(card).toHaveAttribute('data-fresh', 'false');
  const box = await card.getByRole('button', { name: /^Allow once/ }).boundingBox();
  if (!box) throw new Error('not drawn');
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.click(x, y);
  await expect(card).toContainText('two');
  await page.mouse.click(x, y);
  await expect.poll(callsMade).toContain('look one');
  await expect(card).toHaveAttribute('data-fresh', 'false');
  expect(callsMade()).not.toContain('look two');
  await page.mouse.click(x, y);
  await expect.poll(callsMade).toContain('look two');
});
