import { resolve } from 'node:path';
import { bench, benchTool } from './support/bench';
import { calling, expect, settingsFor, spoken, test } from './support/provider';

const late = { timeout: 30_000 };
const asks = {
  command: process.execPath,
  args: [resolve('tests/servers/asks-person.mjs')],
  approval: { form: 'allow', url: 'allow' },
};

test.use({
  servers: { ...bench, asks },
  settings: async ({ provider }, use) => {
    await use({ ...settingsFor(provider), tools: { approval: 'ask' } });
  },
  notes: {
    'Ask.md': '#User : p\n\n#Bold : a\n\n#User : Look.',
    'Form.md': '```asks\ntool: form\n```\n',
    'Visit.md': '```asks\ntool: url\n```\n',
    '.interlinear/agents/Bold.md': '---\napproval: allow\ntools: ["*"]\n---\nBe bold.\n',
  },
});

test('while the core is gone, nothing that it asks offers an answer, and each says why', async ({
  app,
  provider,
}) => {
  const { page } = app;
  const banners = page.locator('.banners .ui-callout');
  const trust = banners.filter({
    has: page.getByRole('button', { name: /^(Trust this folder|Agree to this)$/ }),
  });
  await trust.getByRole('button').last().click(late);
  await expect(trust).toHaveCount(0, late);
  const config = { mcpServers: { brought: { command: './brought' } } };
  await app.writeNote('.interlinear/mcp.json', JSON.stringify(config));
  for (const [at, note] of ['Form', 'Visit'].entries()) {
    await app.openNote(note);
    await page.getByRole('button', { name: /^Run Ctrl/ }).click(late);
    await expect(page.locator('.ask-tray')).toContainText(`${at + 1}`, late);
  }
  provider.answer({ body: calling([benchTool('look'), { word: 'far' }]) }, { body: spoken('Fine.') });
  await app.openNote('Ask');
  await page.locator('.cm-content').click();
  await page.keyboard.press('ControlOrMeta+End');
  await page.keyboard.press('ControlOrMeta+Enter');
  const card = page.locator('.approval-dock .approval');
  await expect(card.getByRole('button', { name: /^Allow once/ })).toBeEnabled(late);
  const consent = banners.filter({ has: page.getByRole('button', { name: 'Agree for this note' }) });
  const questions = page.getByRole('article', { name: '“asks” asks' });
  for (const asked of [trust, consent]) await expect(asked).toBeVisible(late);
  await page.locator('.ask-tray').click();
  await expect(questions).toHaveCount(2, late);
  await questions.getByRole('textbox').fill('Ada');

  await app.kill();
  const later = 'Not connected. This can be answered once the app is back.';
  const over = 'If it has ended, this is called off.';
  const rows = [
    { asked: card, answers: 4, says: over },
    { asked: trust, answers: 1, says: later },
    { asked: consent, answers: 1, says: later },
    { asked: questions.filter({ has: page.getByRole('textbox') }), answers: 3, says: over },
    { asked: questions.filter({ hasText: 'Please pay.' }), answers: 3, says: over },
  ];
  for (const { asked, answers, says } of rows) {
    await expect(asked.getByText(says)).toBeVisible(late);
    const buttons = asked.locator('.answers').getByRole('button', { includeHidden: true });
    await expect(buttons).toHaveCount(answers);
    for (const button of await buttons.all()) await expect(button).toBeDisabled();
  }
  await expect(questions.getByRole('textbox')).toHaveValue('Ada');
  await expect(page.locator('.approval-tray')).toHaveCSS('background-color', 'rgba(0, 0, 0, 0)');

  await app.restart();
  await expect(card).toHaveCount(0, late);
  await expect.poll(() => app.readNote('Ask.md'), late).toContain('interrupted');
});

test('what is asked while the core is gone is not sent later by itself', async ({ app, provider }) => {
  const { page } = app;
  provider.answer({ body: spoken('Here.') });
  await app.writeNote('Later.md', '#User : Are you there?');
  await app.openNote('Later');
  await page.locator('.cm-content').click();
  await page.keyboard.press('ControlOrMeta+End');
  const before = provider.requests.length;
  await app.kill();
  await expect(page.getByText('The connection to the app is interrupted')).toBeVisible(late);
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect(page.getByText('nothing was sent')).toBeVisible(late);
  await page.keyboard.type(' Or not?');
  await app.restart();
  await expect.poll(() => app.readNote('Later.md'), late).toContain('Or not?');
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect.poll(() => app.readNote('Later.md'), late).toContain('Here.');
  expect(provider.requests.length).toBe(before + 1);
});
