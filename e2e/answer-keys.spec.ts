import { bench, blockOf, callsMade } from './support/bench';
import { type AppUnderTest, demoAtOnce, expect, test } from './support/fixtures';

test.use({
  settings: { ...demoAtOnce, tools: { approval: 'ask' } },
  servers: bench,
  notes: {
    'Empty.md': 'No call.\n',
    ...Object.fromEntries(
      ['First', 'Second', 'Third', 'Fourth', 'Fifth', 'Sixth', 'Seventh', 'Eighth'].map((name) => [
        `${name}.md`,
        `${blockOf('look', name)}\n`,
      ]),
    ),
  },
});

const dock = ({ page }: AppUnderTest) => page.locator('.approval-dock .approval');
const list = ({ page }: AppUnderTest) => page.getByRole('dialog', { name: /for you$/ });
const armed = (app: AppUnderTest, word: string) =>
  app.page.locator('.approval[data-armed="true"]', { hasText: word }).first();

/** Runs the block of a note, whose call then waits. */
async function runIn(app: AppUnderTest, name: string): Promise<void> {
  await app.openNote(name);
  await app.page.getByRole('button', { name: /^Run Ctrl/ }).click();
  await expect(dock(app)).toContainText(name);
}

test('keys answer the call of the note that is shown, not an older one of another note', async ({ app }) => {
  const { page } = app;
  await runIn(app, 'First');
  await runIn(app, 'Second');
  await expect(armed(app, 'Second')).toBeVisible();
  await expect(dock(app)).toContainText('Alt');
  await page.keyboard.press('Alt+y');
  await expect.poll(callsMade).toContain('look Second');
  await expect(page.getByRole('button', { name: '1 call waits for you' })).toBeVisible();
  expect(callsMade()).not.toContain('look First');

  await runIn(app, 'Third');
  await expect(armed(app, 'Third')).toBeVisible();
  await page.keyboard.press('Alt+n');
  await expect.poll(() => app.readNote('Third.md')).toContain('result denied');
  expect(await app.readNote('First.md')).not.toContain('result denied');
});

test('where no call that waits is on the screen, the keys show the list and then answer in it', async ({
  app,
}) => {
  const { page } = app;
  await runIn(app, 'Fourth');
  await app.openNote('Empty');
  await expect(dock(app)).toHaveCount(0);
  await page.locator('.cm-content').click();
  for (const key of ['Alt+n', 'Alt+y']) {
    await page.keyboard.press(key);
    await expect(list(app)).toContainText('Fourth');
    await expect(armed(app, 'Fourth')).toBeVisible();
    if (key === 'Alt+y') continue;
    await page.keyboard.press('Escape');
    await expect(page.locator('.cm-content')).toBeFocused();
  }
  expect(callsMade()).not.toContain('look Fourth');
  await page.keyboard.press('Alt+y');
  await expect.poll(callsMade).toContain('look Fourth');
  await expect(list(app)).toHaveCount(0);
});

test('no key answers a call that a dialog lies over', async ({ app }) => {
  const { page } = app;
  await runIn(app, 'Fifth');
  await expect(armed(app, 'Fifth')).toBeVisible();
  const before = callsMade().length;
  await page.keyboard.press('Control+,');
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.keyboard.press('Alt+y');
  await page.keyboard.press('Alt+n');
  await page.keyboard.press('Escape');

  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(armed(app, 'Fifth')).toBeVisible();
  expect(callsMade()).toHaveLength(before);
  await page.keyboard.press('Alt+n');
  await expect.poll(() => app.readNote('Fifth.md')).toContain('result denied');
});

test('no key allows a call while a reason against it is typed', async ({ app }) => {
  const { page } = app;
  await runIn(app, 'Sixth');
  await expect(armed(app, 'Sixth')).toBeVisible();
  await page.getByRole('button', { name: /^Deny with/ }).click();
  await page.keyboard.type('Never');
  await page.keyboard.press('Alt+y');
  await page.keyboard.press('Alt+a');
  await page.keyboard.press('Alt+n');
  await expect.poll(() => app.readNote('Sixth.md')).toContain('Never');
  expect(await app.readNote('Sixth.md')).toContain('result denied');
  expect(callsMade()).not.toContain('look Sixth');
});

test('in the list the keys answer the card that the keyboard is in', async ({ app }) => {
  const { page } = app;
  await runIn(app, 'Seventh');
  await runIn(app, 'Eighth');
  await app.openNote('Empty');
  await page.locator('.approval-tray').click();
  const card = list(app).locator('.approval', { hasText: 'Eighth' });
  await expect(armed(app, 'Seventh')).toBeVisible();
  await card.getByRole('button', { name: /^Deny with/ }).click();
  await page.keyboard.type('Not this');
  await expect(armed(app, 'Eighth')).toBeVisible();
  await page.keyboard.press('Alt+y');
  await page.keyboard.press('Alt+n');
  await expect.poll(() => app.readNote('Eighth.md')).toContain('Not this');
  expect(await app.readNote('Seventh.md')).not.toContain('result denied');
  expect(callsMade()).not.toContain('look Seventh');
  expect(callsMade()).not.toContain('look Eighth');
});
