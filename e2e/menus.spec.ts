import { resolve } from 'node:path';
import type { Locator } from '@playwright/test';
import { expect, spoken, test } from './support/provider';

const everything = {
  command: process.execPath,
  args: [
    resolve(import.meta.dirname, '../node_modules/@modelcontextprotocol/server-everything/dist/index.js'),
  ],
};

test.use({
  servers: { everything },
  notes: {
    'Talk.md': '#User : ',
    'Plan.md': '# Plan\n\nBeans first.\n',
    '.interlinear/prompts/Sum up.md':
      '---\ndescription: Three sentences\n---\nSum up for {{reader}}: {{selection}}\n',
  },
});

/** An Enter within 75 ms after a menu has opened is not meant for it. */
async function choose(option: Locator): Promise<void> {
  await expect(option).toBeVisible();
  const seen = Date.now();
  await expect.poll(() => Date.now() - seen, { intervals: [20] }).toBeGreaterThan(100);
  await option.page().keyboard.press('Enter');
}

test('by keyboard alone: a prompt is filled in behind a slash, a resource and a note are attached, and all is sent', async ({
  app,
  provider,
}) => {
  const { page } = app;
  provider.answer({ body: spoken('Done.') });
  await app.openNote('Talk');
  const editor = page.locator('.cm-content');
  await editor.click();
  await page.keyboard.press('ControlOrMeta+End');

  // A server's prompt with arguments, of which the server completes one from the other.
  await page.keyboard.type('/');
  const menu = page.getByRole('listbox', { name: 'Completions' });
  await expect(menu.getByRole('option', { name: /Sum up/ })).toBeVisible();
  await expect(menu.getByRole('option', { name: /args-prompt/ })).toBeVisible();
  await page.keyboard.type('complet');
  await expect(menu.getByRole('option')).toHaveCount(1);
  await choose(menu.getByRole('option'));
  const form = page.getByRole('dialog', { name: 'Team Management' });
  await expect(form.getByRole('combobox', { name: /department/ })).toBeFocused();
  await page.keyboard.type('Eng');
  await page.keyboard.press('Enter');
  await expect(form.getByRole('alert')).toHaveText('This is needed.');
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('E');
  await expect(form.getByRole('option', { name: 'Engineering' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(form.getByRole('option')).toHaveCount(0);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await page.keyboard.press('ArrowDown');
  await expect(form.getByRole('option').first()).toBeVisible();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  await expect(form).toBeHidden();
  await expect(editor).toBeFocused();
  await expect
    .poll(() => app.readNote('Talk.md'))
    .toMatch(/^#User : Please promote \w+ to the head of the Engineering team\.$/);

  // One step of undo takes it back.
  await page.keyboard.press('ControlOrMeta+z');
  await expect.poll(() => app.readNote('Talk.md')).toBe('#User : /complet');
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.insertText('#User : ');

  await page.keyboard.type('Compare @plan');
  await choose(menu.getByRole('option', { name: /Plan/ }));
  await page.keyboard.type(' with @archi');
  await choose(menu.getByRole('option', { name: /architecture/ }));
  await page.keyboard.type(' and @dyntext');
  await choose(menu.getByRole('option', { name: /Dynamic Text/ }));
  const pattern = page.getByRole('dialog', { name: 'Dynamic Text Resource' });
  await expect(pattern.getByRole('textbox').or(pattern.getByRole('combobox')).first()).toBeFocused();
  await page.keyboard.type('7');
  await expect(pattern).toContainText('demo://resource/dynamic/text/7');
  await page.keyboard.press('Enter');
  await expect(pattern).toBeHidden();
  await page.keyboard.press('ControlOrMeta+Shift+b');
  await expect(page.getByText('demo://resource/dynamic/text/7').last()).toBeVisible();
  await expect(page.locator('.context-list').first()).toContainText(/architecture\.md\s*about \d/);
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect.poll(() => app.readNote('Talk.md')).toContain('Done.');
  const sent = JSON.stringify(provider.requests[0]?.body);
  expect(sent).toContain('Beans first.');
  expect(sent).toContain('(demo://resource/static/document/architecture.md, from the server');
  expect(sent).toContain('Resource 7: This is a plaintext resource');

  // A template from the palette takes the selection.
  await expect(editor.locator('.cm-line').last()).toHaveText(/^#User : $/);
  await page.keyboard.press('ControlOrMeta+End');
  await page.keyboard.insertText('beans');
  await page.keyboard.press('Control+Shift+ArrowLeft');
  await app.runCommand('use a prompt');
  await expect(page.getByRole('dialog', { name: 'Use a prompt' }).getByRole('option').first()).toBeVisible();
  await page.keyboard.insertText('sum');
  await expect(page.getByRole('option', { selected: true })).toContainText('Sum up');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'Sum up' }).getByLabel(/reader/)).toBeFocused();
  await page.keyboard.type('children');
  await page.keyboard.press('Enter');
  await expect.poll(() => app.readNote('Talk.md')).toMatch(/#User : Sum up for children: beans$/);
});

test('one Escape closes a dialog, also while a tooltip is shown in it', async ({ app }) => {
  const { page } = app;
  await page.keyboard.press('ControlOrMeta+,');
  const settings = page.getByRole('dialog', { name: 'Settings' });
  await expect(settings).toBeVisible();
  await settings.getByRole('button', { name: 'Close' }).hover();
  await expect(page.getByRole('tooltip')).toHaveCount(1);
  await page.keyboard.press('Escape');
  await expect(settings).toBeHidden();
  await expect(page.getByRole('tooltip')).toHaveCount(0);
});
