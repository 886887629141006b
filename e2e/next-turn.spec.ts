import { phase, stalled } from './support/answers';
import type { AppUnderTest } from './support/fixtures';
import { expect, said, settingsFor, spoken, test } from './support/provider';

const half = 'Half an answer';

/** Ways in which an answer ends that is not finished; what the server says of it. */
const ways = {
  Stopped: stalled(said({ content: half })),
  Failed: { status: 400, body: '{"error":{"message":"no"}}' },
  'Broken off': { body: said({ content: half }), endAt: 1_000 },
};

test.use({
  settings: async ({ provider }, use) => {
    await use(settingsFor(provider, { id: 'other', tag: 'Other' }));
  },
  notes: Object.fromEntries([...Object.keys(ways), 'Ended'].map((name) => [`${name}.md`, '#User : hello'])),
});

const who = ({ page }: AppUnderTest, tag: string) =>
  page.getByRole('button', { name: `Who answers: ${tag} m` });

async function chooseOther(app: AppUnderTest): Promise<void> {
  await app.page.getByRole('button', { name: /^Who answers/ }).click();
  await app.page.getByRole('menuitemradio', { name: /^Other/ }).click();
  await expect(who(app, 'Other')).toBeVisible();
}

async function ask(app: AppUnderTest, name: string): Promise<void> {
  await app.openNote(name);
  await app.page.locator('.cm-content').click();
  await app.page.keyboard.press('ControlOrMeta+End');
  await app.page.keyboard.press('ControlOrMeta+Enter');
}

for (const [name, answer] of Object.entries(ways)) {
  test(`below an answer that ended so the person goes on: ${name}`, async ({ app, provider }) => {
    const { page } = app;
    const read = () => app.readNote(`${name}.md`);
    provider.answer(answer);
    await app.openNote(name);
    await chooseOther(app);
    await ask(app, name);
    if (name === 'Stopped') {
      await expect(page.locator('.cm-content')).toContainText(half);
      await page.getByRole('button', { name: 'Stop' }).click();
    }
    await expect.poll(read).toMatch(/#Other : [\s\S]*\n\n#User : $/);
    await expect(page.getByRole('button', { name: /^Answer/ })).toBeVisible();
    await expect(page.locator('.cm-line').last()).toHaveText(/^#User : $/);
    // Whoever waited is there.
    await page.keyboard.type('and now?');
    await expect.poll(read).toMatch(/\n\n#User : and now\?$/);

    await page.reload();
    await app.openNote(name);
    await expect(who(app, 'Other')).toBeVisible();
    provider.answer({ body: spoken('Well.') });
    const again = page.getByRole('button', { name: 'Ask again', exact: true });
    if (name !== 'Stopped') {
      await again.click();
      await expect.poll(read).toContain('#Other : Well.\n\n#User : and now?');
      expect(JSON.stringify(provider.requests.at(-1)?.body)).not.toContain('and now?');
    }
    await page.locator('.cm-content').click();
    await page.keyboard.press('ControlOrMeta+End');
    await page.keyboard.press('ControlOrMeta+Enter');
    await expect.poll(read).toMatch(/#User : and now\?\n\n#Other : Well\.\n\n#User : $/);
    expect(provider.requests.at(-1)?.body).toMatchObject({
      messages: expect.arrayContaining([{ role: 'user', content: 'and now?' }]),
    });
  });
}

test('an answer that broke off as the app was ended is known to have, and the person goes on below it', async ({
  app,
  provider,
}) => {
  provider.answer(stalled(said({ content: half })));
  await ask(app, 'Ended');
  await expect(app.page.locator('.cm-content')).toContainText(half);
  await app.end();
  await app.restart();
  await app.page.reload();
  await app.openNote('Ended');
  await expect(phase(app)).toContainText('Broke off');
  expect(await app.readNote('Ended.md')).toMatch(/The answer broke off[\s\S]*-->\n\n#User : $/);
  expect((await app.readNote('Ended.md')).split('broke off')).toHaveLength(2);
});

test('who writes an answer anew is named while it is written', async ({ app, provider }) => {
  const { page } = app;
  await app.writeNote('Two.md', '#User : a\n\n#Other : Old words\n\n#Local : b\n\n#User : c');
  await app.openNote('Two');
  await page.locator('.cm-content').click();
  await page.keyboard.press('ControlOrMeta+End');
  await expect(who(app, 'Local')).toBeVisible();
  provider.answer(stalled(said({ content: half })));
  await page.getByText('Old words').hover();
  const actions = page.getByRole('toolbar', { name: 'What to do with this answer' });
  await actions.first().getByRole('button', { name: 'Write it anew' }).click();
  await expect(page.locator('.cm-content')).toContainText(half);
  await expect(who(app, 'Other')).toBeVisible();
  await page.getByRole('button', { name: 'Stop' }).click();
  await expect(who(app, 'Local')).toBeVisible();
});

test('an answer that failed is asked for again also where the person has written below it', async ({
  app,
  provider,
}) => {
  const failed =
    '#User : hello\n\n#Local : \n\n> [!failure] No answer\n> No.\n> <!-- network provider=local model=m -->';
  for (const [name, words] of [
    ['Quote', '\n> And this?\n'],
    ['Text', '\n\nAnd this?\n'],
  ] as const) {
    await app.writeNote(`${name}.md`, failed + words);
    await app.openNote(name);
    provider.answer({ body: spoken('Well.') });
    await app.page.getByRole('button', { name: 'Ask again', exact: true }).click();
    await expect
      .poll(() => app.readNote(`${name}.md`))
      .toBe(`${failed}${words.trimEnd()}\n\n#Local : Well.\n\n#User : \n`);
  }
});

test('the next question, asked before the answer above has ended, is asked as soon as it has', async ({
  app,
  provider,
}) => {
  const { page } = app;
  const read = () => app.readNote('Early.md');
  const told = page.getByText('Asked as soon as the answer above has ended.');
  const goOnBelow = async (text: string) => {
    await page.keyboard.press('ControlOrMeta+End');
    await page.keyboard.type(text);
    await page.keyboard.press('ControlOrMeta+Enter');
    await expect(told).toBeVisible();
  };
  await app.writeNote('Early.md', '#User : hello');
  provider.answer(stalled(said({ content: half })));
  await ask(app, 'Early');
  await expect(page.locator('.cm-content')).toContainText(half);
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect(told).toHaveCount(0);
  await goOnBelow('and the next');
  expect(provider.requests).toHaveLength(1);
  // Whoever stops the answer wants no other either.
  await page.getByRole('button', { name: 'Stop' }).click();
  await expect(told).toHaveCount(0);
  await expect(page.getByRole('button', { name: /^Answer/ })).toBeVisible();
  expect(provider.requests).toHaveLength(1);

  provider.answer({ body: spoken('One ', 'two ', 'three.'), pieces: 60, pauseMs: 400 });
  await page.locator('.cm-content').click();
  await page.keyboard.press('ControlOrMeta+End');
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect(page.locator('.cm-content')).toContainText('One');
  provider.answer({ body: spoken('Well.') });
  await goOnBelow('and the last');
  await page.keyboard.press('ControlOrMeta+Home');
  await expect.poll(read).toMatch(/three\.\n\n#User : and the last\n\n#Local : Well\./);
  await expect(told).toHaveCount(0);
  expect(provider.requests).toHaveLength(3);
});
