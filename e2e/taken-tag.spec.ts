import { expect, test } from './support/fixtures';
import { dialog, section } from './support/settings-dialog';

test.use({
  settings: {
    providers: [
      { id: 'mine', vendor: 'openai-compatible', tag: 'User', model: 'm', baseUrl: 'http://127.0.0.1:9/v1' },
    ],
  },
});

test('a tag that is taken is said wherever it stands: in the list of tags and in the form of its provider', async ({
  app,
}) => {
  await section(app, 'Tags');
  const tag = dialog(app).getByRole('listitem').filter({ hasText: '#User' });
  await expect(tag).toContainText('Its tag is taken', { timeout: 20_000 });
  await section(app, 'Providers');
  await dialog(app).locator('li', { hasText: '#User' }).getByRole('button', { name: 'Edit' }).click();
  await expect(dialog(app).getByText('It answers where a line begins with #User.')).toHaveCount(0);
  await expect(dialog(app).getByText('it cannot answer under it')).toBeVisible({ timeout: 20_000 });
});
