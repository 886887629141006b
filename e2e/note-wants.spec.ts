import type { ProviderServer } from '../tests/provider-server';
import type { AppUnderTest } from './support/fixtures';
import { calling, expect, spoken, test } from './support/provider';

test.use({
  notes: {
    'Plan.md': '#User : Hello?',
    'Talk.md': '#User : Change the plan.',
    'Own.md': '---\nmodel: m\ntemperature: 0.2\n---\n#User : Hello?',
  },
});

const wants = (app: AppUnderTest) => app.page.getByRole('region', { name: 'What the note wants' });

/** Asks at the end of the open note, and has it answered with a word of its own. */
async function ask({ page }: AppUnderTest, provider: ProviderServer, word: string): Promise<void> {
  provider.answer({ body: spoken(word) });
  await page.locator('.cm-content').focus();
  await page.keyboard.press('ControlOrMeta+End');
  await page.keyboard.type('So?');
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect(page.locator('.cm-content')).toContainText(word);
}

const asked = (provider: ProviderServer) => provider.requests.at(-1)?.body as Record<string, unknown>;

test('what another program writes into an open note is asked about with the difference, and holds as it was agreed to', async ({
  app,
  provider,
}) => {
  const { page } = app;
  await app.openNote('Plan');
  const head = 'model: gamma\nreasoning: high\ntemperature: 0.2';
  await app.writeNote('Plan.md', `---\n${head}\n---\n#User : Hello?`);
  await expect(page.getByRole('button', { name: /is not sent/ })).toBeVisible();
  await ask(app, provider, 'Answered without.');
  expect(asked(provider)).toMatchObject({ model: 'm', temperature: 0.2 });
  expect(asked(provider)).not.toHaveProperty('reasoning_effort');
  const list = wants(app);
  await expect(list.getByRole('row', { name: /^Model m · .* gamma · / })).toBeVisible();
  await expect(list.getByRole('row', { name: 'Reasoning as the model does by itself high' })).toBeVisible();
  await expect(list.getByRole('row')).toHaveCount(3);

  await list.focus();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Show the note' })).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Agree for this note' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(list).toHaveCount(0);

  await ask(app, provider, 'Answered with it.');
  expect(asked(provider)).toMatchObject({ model: 'gamma', reasoning_effort: 'high' });
  await expect(list).toHaveCount(0);

  await expect.poll(() => app.readNote('Plan.md')).toContain('Answered with it.');
  await app.writeNote('Plan.md', (await app.readNote('Plan.md')).replace('gamma', 'delta'));
  await expect(page.locator('.cm-content')).toContainText('model: delta');
  await ask(app, provider, 'Answered anew.');
  expect(asked(provider)).toMatchObject({ model: 'm', reasoning_effort: 'high' });
  await expect(list.getByRole('row')).toHaveCount(2);
  await expect(list.getByRole('row', { name: /^Model m · .* delta · / })).toBeVisible();
});

test('what the person types is never asked about, nor what is in force anyway', async ({ app, provider }) => {
  const { page } = app;
  await app.openNote('Own');
  await ask(app, provider, 'As it is.');
  await app.openNote('Plan');
  await page.locator('.cm-content').focus();
  await page.keyboard.press('ControlOrMeta+Home');
  await page.keyboard.type('---\nmodel: gamma\nmax_tokens: 900\n---\n');
  await expect
    .poll(() => app.readNote('Plan.md'))
    .toMatch(/^---\nmodel: gamma\nmax_tokens: 900\n---\n\n?#User : Hello/);
  await ask(app, provider, 'As it was typed.');
  expect(asked(provider)).toMatchObject({ model: 'gamma', max_tokens: 900 });
  await expect(wants(app)).toHaveCount(0);
});

test('what a model writes by update_doc is left out, and once it is declined not asked about again', async ({
  app,
  provider,
}) => {
  const { page } = app;
  await app.openNote('Plan');
  await app.openNote('Talk');
  await page.locator('.cm-content').focus();
  await page.keyboard.press('ControlOrMeta+End');
  const edits = [{ old: '#User : Hello?', new: '---\nmodel: gamma\nreasoning: high\n---\n#User : Hello?' }];
  provider.answer(
    { body: calling(['vault__update_doc', { path: 'Plan.md', edits }]) },
    { body: spoken('Written.') },
  );
  await page.keyboard.press('ControlOrMeta+Enter');
  await app.decide('update_doc', 'Alt+y');
  await expect(page.locator('.cm-content')).toContainText('Written.');
  await expect.poll(() => app.readNote('Plan.md')).toMatch(/^---\nmodel: gamma\n/);

  await app.openNote('Plan');
  await ask(app, provider, 'Without it.');
  expect(asked(provider)).toMatchObject({ model: 'm' });
  await expect(wants(app)).toBeVisible();
  await page.getByRole('button', { name: 'Leave it out' }).click();
  await expect(wants(app)).toHaveCount(0);
  await ask(app, provider, 'Once more.');
  expect(asked(provider)).toMatchObject({ model: 'm' });
  await expect(wants(app)).toHaveCount(0);
});
