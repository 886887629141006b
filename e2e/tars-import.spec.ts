import { expect, test } from './support/fixtures';
import { section } from './support/settings-dialog';

const tars = {
  providers: [
    { tag: 'Claude', vendor: 'Claude', options: { baseURL: 'https://elsewhere.example/v1', model: 'm' } },
    { tag: 'Seek', vendor: 'DeepSeek', options: { apiKey: 'dk-12345678', model: 'deepseek-v4' } },
  ],
  userTags: ['Me'],
  mcpSessionLimit: 100_000,
  enableDefaultSystemMsg: true,
  defaultSystemMsg: 'Answer as a gardener.',
};
test.use({ notes: { 'Welcome.md': 'Hello.\n', '.obsidian/plugins/tars/data.json': JSON.stringify(tars) } });

test('what a folder has of TARS is shown with all that it would do, and only what is chosen is taken over', async ({
  app,
}) => {
  const { page } = app;
  await section(app, 'Agents & prompts');
  await page.getByRole('button', { name: 'Choose…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Take over settings of TARS' });
  const choice = (name: RegExp) => dialog.getByRole('checkbox', { name });
  await expect(choice(/^#Claude/)).not.toBeChecked();
  await expect(dialog).toContainText('yours is sent to https://elsewhere.example/v1');
  await expect(dialog).toContainText('ANTHROPIC_API_KEY');
  await expect(choice(/^#Seek/)).toBeChecked();
  await expect(choice(/^Names for turns: #Me/)).toBeChecked();
  await expect(choice(/^Calls a note may make: 25 → 100000/)).not.toBeChecked();
  await expect(choice(/Answer as a gardener/)).not.toBeChecked();
  const file = '.obsidian/plugins/tars/data.json';
  await app.writeNote(file, JSON.stringify(tars).replace('elsewhere', 'nowhere'));
  await dialog.getByRole('button', { name: 'Take over' }).click();
  await expect(dialog).toContainText('changed since you looked');
  await expect(dialog).toContainText('https://nowhere.example/v1');
  await expect(choice(/^#Claude/)).not.toBeChecked();
  await dialog.getByRole('button', { name: 'Take over' }).click();
  await expect(page.getByText('Taken over from TARS')).toBeVisible();
  const settings = async () => JSON.parse(await app.readData('settings.json'));
  await expect.poll(async () => (await settings()).tags?.user).toContain('Me');
  const { providers, tools, chat } = await settings();
  expect(providers).toMatchObject([{ tag: 'Seek' }]);
  expect([tools?.callsPerNote ?? 25, chat?.systemPrompt ?? '']).toEqual([25, '']);
});
