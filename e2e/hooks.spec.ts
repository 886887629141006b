import { demoAtOnce, expect, test } from './support/fixtures';

test.use({
  settings: demoAtOnce,
  notes: {
    'Question.md': '#User : Hello\n',
    'Log.md': 'Log\n',
    '.interlinear/prompts/Sum up.md': 'Sum up {{note}}.\n',
    '.interlinear/hooks.json': `{
  // Mine.
  "hooks": [
    { "name": "Wrong",
      "on": "never", "run": { "prompt": "Sum up" } }
  ]
}
`,
  },
});

test('a hook is made in a form, runs by hand and by itself, and says how it went', async ({ app }) => {
  const { page } = app;
  await page.getByRole('button', { name: 'Settings', exact: true }).click();
  await page.getByRole('button', { name: 'Hooks', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Settings' });
  await expect(dialog.getByText(/^Line 5: on: /)).toBeVisible();

  await dialog.getByRole('button', { name: 'Add hook' }).click();
  await dialog.getByLabel('Name').fill('Sum up answers');
  await dialog.getByRole('radio', { name: 'A prompt' }).click();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog.getByText('This is required.')).toBeVisible();
  await dialog.getByLabel('Prompt', { exact: true }).fill('Sum up');
  await dialog.getByLabel('Works on').fill('Log.md');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog.getByText('After an answer · prompt Sum up · works on Log.md')).toBeVisible();
  await expect
    .poll(() => app.readNote('.interlinear/hooks.json'))
    .toMatch(/\/\/ Mine\.[\s\S]+"Sum up answers"/);

  const run = dialog.getByRole('button', { name: 'Run now' });
  await run.click();
  await expect(dialog.getByText(/^ran just now/)).toBeVisible();
  await expect.poll(() => app.readNote('Log.md')).toContain('#User : Sum up Log.md.');
  const isOn = dialog.getByRole('switch', { name: '“Sum up answers” is on' });
  await isOn.click();
  await expect.poll(() => app.readNote('.interlinear/hooks.json')).toContain('"enabled": false');
  // The file may have it before the screen.
  await expect(isOn).not.toBeChecked();
  await isOn.click();
  await expect.poll(() => app.readNote('.interlinear/hooks.json')).toContain('"enabled": true');
  await page.keyboard.press('Escape');

  await app.openNote('Question');
  await page.getByText('Hello').click();
  await page.keyboard.press('End');
  await page.keyboard.press('Control+Enter');
  await expect.poll(async () => (await app.readNote('Log.md')).split('#User : Sum up').length).toBe(3);
});
