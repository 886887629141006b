import { expect, spoken, test } from './support/provider';

const long = 'Words and more words. '.repeat(400);

test.use({
  notes: { 'Talk.md': `#User : First. ${long}\n\n#Local : ${long}\n\n#User : And now?\n` },
});

const refusal = (status: number, code: string, message: string, headers: Record<string, string> = {}) => ({
  status,
  headers: { 'content-type': 'application/json', 'x-should-retry': 'false', ...headers },
  body: JSON.stringify({ error: { message, code, type: code } }),
});

test('after a failure the next step stands at the answer, also after a reload, by mouse and by keyboard', async ({
  app,
  provider,
}) => {
  const { page } = app;
  const card = page.locator('.cm-failure');
  const answered = (words: string) => expect.poll(() => app.readNote('Talk.md')).toContain(words);
  const askAtEnd = async () => {
    await page.locator('.cm-content').click();
    await page.keyboard.press('ControlOrMeta+End');
    await page.keyboard.press('ControlOrMeta+Enter');
  };

  // Too many requests: a countdown, and an attempt of its own only for whoever wants it.
  await app.openNote('Talk');
  provider.answer(refusal(429, 'rate_limit_exceeded', 'Slow down.', { 'retry-after': '12' }), {
    body: spoken('Patience pays.'),
  });
  await askAtEnd();
  await expect(card.getByText(/You can retry in \d+ s/)).toBeVisible();
  await expect(card.getByRole('button', { name: 'Ask again' })).toBeHidden();
  await card.getByRole('button', { name: 'Retry when possible' }).click();
  await expect(card.getByText(/Retries in \d+ s/)).toBeVisible();
  // The wish is the core's, not the page's.
  await page.reload();
  await answered('Patience pays.');
  expect(await app.readNote('Talk.md')).not.toContain('[!failure]');

  // A conversation that is too long.
  provider.answer(refusal(400, 'context_length_exceeded', 'This is too long.'), {
    body: spoken('Short and good.'),
  });
  await page.locator('.cm-content').click();
  await page.keyboard.press('ControlOrMeta+End');
  await page.keyboard.insertText('More?');
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect(card.getByRole('button', { name: 'Trim and ask again' })).toBeVisible();
  await app.runCommand('trim and ask');
  await answered('Short and good.');
  await answered('Not sent: 2 older messages.');
  const size = (at: number) => JSON.stringify(provider.requests.at(at)?.body).length;
  expect(size(-1)).toBeLessThan(size(-2) * 0.7);

  // A model that is not there.
  provider.answer(refusal(404, 'model_not_found', 'The model `m` does not exist.'), {
    headers: { 'content-type': 'application/json' },
    body: '{"data":[{"id":"beta-large"},{"id":"alpha-small"}]}',
  });
  await page.locator('.cm-content').click();
  await page.keyboard.press('ControlOrMeta+End');
  await page.keyboard.insertText('Who?');
  await page.keyboard.press('ControlOrMeta+Enter');
  await card.getByRole('button', { name: 'Choose a model' }).click();
  await expect(page.getByRole('dialog').getByRole('option', { name: 'beta-large' })).toBeVisible();
  provider.answer({ body: spoken('Beta speaks.') });
  await page.keyboard.insertText('beta');
  await expect(page.getByRole('option', { selected: true })).toContainText('beta-large');
  await page.keyboard.press('Enter');
  await answered('Beta speaks.');
  expect(provider.requests.at(-1)?.body).toMatchObject({ model: 'beta-large' });

  // A key that is not accepted: its provider's own settings.
  provider.answer(refusal(401, 'invalid_api_key', 'Who are you?'));
  await page.locator('.cm-content').click();
  await page.keyboard.press('ControlOrMeta+End');
  await page.keyboard.insertText('Me!');
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect.poll(() => app.readNote('Talk.md')).toContain('<!-- auth provider=local');
  await page.reload();
  await expect(page.getByText('First.')).toBeVisible();
  await page.locator('.cm-content').click();
  await page.keyboard.press('ControlOrMeta+End');
  await card.getByRole('button', { name: 'Open provider settings' }).click();
  await expect(
    page
      .getByRole('dialog')
      .getByLabel(/^Model/)
      .first(),
  ).toHaveValue('beta-large');
});

test('that a message is empty is said until something is written', async ({ app }) => {
  const { page } = app;
  await app.writeNote('Empty.md', '#User : ');
  await app.openNote('Empty');
  await page.locator('.cm-content').click();
  await page.keyboard.press('ControlOrMeta+End');
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect(page.getByText('This message is empty.')).toBeVisible();
  await page.waitForTimeout(1_000);
  await expect(page.getByText('This message is empty.')).toBeVisible();
  await page.keyboard.type('Not any more');
  await expect(page.getByText('This message is empty.')).toHaveCount(0, { timeout: 5_000 });
});

test('History says of an answer that failed that it failed, and of the next one that it answered', async ({
  app,
  provider,
}) => {
  const { page } = app;
  await app.openNote('Talk');
  provider.answer(refusal(400, 'invalid_request_error', 'Not like this.'), { body: spoken('Like this.') });
  await page.locator('.cm-content').click();
  await page.keyboard.press('ControlOrMeta+End');
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect(page.locator('.cm-failure')).toBeVisible();
  await page.keyboard.press('ControlOrMeta+Shift+b');
  await page.getByRole('tab', { name: 'History' }).click();
  const rows = page.getByRole('listbox', { name: 'Versions of this note' }).getByRole('option');
  await expect(rows.filter({ hasText: '· failed' })).toHaveCount(1);
  await expect(rows.filter({ hasText: '· answered' })).toHaveCount(0);
  await page.locator('.cm-failure').getByRole('button', { name: 'Ask again' }).click();
  await expect(rows.filter({ hasText: '· answered' })).toHaveCount(1);
});
