import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { bench, blockOf } from './support/bench';
import { type AppUnderTest, demoAtOnce, expect, test } from './support/fixtures';
import { dialog, section } from './support/settings-dialog';

test.use({
  settings: { ...demoAtOnce, tools: { approval: 'ask' } },
  servers: bench,
  notes: { 'Call.md': `${blockOf('look', 'far')}\n\nBelow.\n`, 'Other.md': 'Other words.\n' },
});

const editor = (page: Page) => page.locator('.cm-content');
const asked = (page: Page) => page.locator('.approval[data-armed="true"]');

async function runBlock({ page }: AppUnderTest): Promise<void> {
  await page.getByRole('button', { name: /^Run Ctrl/ }).click();
  await expect(asked(page)).toBeVisible();
}

async function typesOn({ page, readNote }: AppUnderTest, words: string, path: string): Promise<void> {
  await expect(editor(page)).toBeFocused();
  await page.keyboard.type(words);
  await expect.poll(() => readNote(path)).toContain(words);
}

test('who denied a call, with a reason or by the keys beside the list of what waits, types on in the note', async ({
  app,
}) => {
  const { page } = app;
  await app.openNote('Call');
  await page.getByText('Below.').click();
  await runBlock(app);
  await page.getByRole('button', { name: 'Deny with reason …' }).click();
  await page.getByLabel('Why not').fill('Not now');
  await page.getByRole('button', { name: 'Deny', exact: true }).click();
  await expect(asked(page)).toHaveCount(0);
  await typesOn(app, 'With a reason.', 'Call.md');

  await runBlock(app);
  await page.getByRole('button', { name: 'Deny with reason …' }).click();
  await page.keyboard.type('Nor now');
  await page.keyboard.press('Enter');
  await expect(asked(page)).toHaveCount(0);
  await typesOn(app, 'By Enter.', 'Call.md');

  await runBlock(app);
  await page.getByRole('button', { name: '1 call waits for you' }).click();
  await expect(page.getByRole('dialog', { name: '1 call waits for you' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.keyboard.press('Alt+n');
  await expect(asked(page)).toHaveCount(0);
  await typesOn(app, 'By the key.', 'Call.md');
});

test('who opens another vault types on in its note', async ({ app }) => {
  const { page } = app;
  const other = join(app.vault, '..', 'other');
  await mkdir(other);
  await writeFile(join(other, 'Welcome.md'), 'Hello.\n');
  await app.openNote('Other');
  await page.getByText('Other words.').click();
  await section(app, 'Vault');
  await dialog(app).getByRole('textbox', { name: 'Open another folder' }).fill(other);
  await dialog(app).getByRole('button', { name: 'Open', exact: true }).first().click();
  await expect(page.getByRole('region', { name: 'Welcome.md' })).toHaveAttribute('aria-busy', 'false');
  await expect(editor(page)).toBeFocused();
  await page.keyboard.type('Typed on.');
  await expect.poll(() => readFile(join(other, 'Welcome.md'), 'utf8')).toContain('Typed on.');
});
