import { expect, test } from './support/fixtures';
import { dialog, leave, section } from './support/settings-dialog';

test('what was typed in settings is kept when Esc closes them', async ({ app }) => {
  const late = { timeout: 20_000 };
  await section(app, 'Tools & limits');
  const limit = dialog(app).getByLabel('Time limit of a call');
  await expect(limit).toHaveValue('30', late);
  await limit.fill('45');
  await leave(app);
  await section(app, 'Tools & limits');
  await expect(limit).toHaveValue('45', late);
  await section(app, 'Tags');
  const you = dialog(app).getByLabel('You', { exact: true });
  await you.fill('Me，Ich');
  await leave(app);
  await section(app, 'Tags');
  await expect(you).toHaveValue('Me, Ich', late);
});
