import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type AppUnderTest, expect, test } from './support/fixtures';
import { dialog, leave, section } from './support/settings-dialog';

/** As it is in the file; undefined: as it is by itself. */
async function timeoutOf({ data }: AppUnderTest): Promise<unknown> {
  const text = await readFile(join(data, 'settings.json'), 'utf8').catch(() => '{}');
  return JSON.parse(text).tools?.timeout;
}

test('what was typed in settings is kept, but not saved, when Esc closes them; leaving its box saves it', async ({
  app,
}) => {
  const late = { timeout: 20_000 };
  await section(app, 'Tools & limits');
  const limit = dialog(app).getByLabel('Time limit of a call');
  await expect(limit).toHaveValue('30', late);
  await limit.fill('45');
  await leave(app);
  await section(app, 'Tools & limits');
  await expect(limit).toHaveValue('45', late);
  await expect(dialog(app).getByText('Unsaved changes')).toBeVisible(late);
  expect(await timeoutOf(app)).not.toBe(45_000);
  await dialog(app).getByRole('button', { name: 'Discard', exact: true }).click();
  await expect(limit).toHaveValue('30', late);
  await limit.fill('46');
  await limit.press('Tab');
  await expect.poll(() => timeoutOf(app), late).toBe(46_000);
  await section(app, 'Tags');
  const you = dialog(app).getByLabel('You', { exact: true });
  await you.fill('Me，Ich');
  await you.press('Tab');
  await expect(you).toHaveValue('Me, Ich', late);
  await leave(app);
  await section(app, 'Tags');
  await expect(you).toHaveValue('Me, Ich', late);
});
