import { expect, test } from './support/fixtures';
import { dialog, section } from './support/settings-dialog';

const late = { timeout: 30_000 };
const agent = '.interlinear/agents/Scout.md';
const prompt = '.interlinear/prompts/Ask.md';
const instructions = '---\nprovider: Demo\n---\nYou look ahead.\n';
const template = 'About {{topic}}?\n';

test.use({
  notes: { 'Welcome.md': 'Hello.\n', [agent]: instructions, [prompt]: template },
});

test('the menu of who answers says that the agents of a folder wait for trust, and leads to them', async ({
  app,
}) => {
  const { page } = app;
  await app.openNote('Welcome');
  const open = () =>
    page
      .locator('.note-bar')
      .getByRole('button', { name: /^Who answers/ })
      .click(late);
  const waits = page.getByRole('menuitem', { name: 'Agents of this folder wait until you trust it' });
  await open();
  await waits.click(late);
  await expect(dialog(app).getByText('Scout', { exact: true })).toBeVisible(late);
});

test('nothing is asked in the note of an agent or of a prompt, which stays as it is', async ({ app }) => {
  const { page } = app;
  const kept = {
    Scout: {
      path: agent,
      text: instructions,
      why: /instructions of the agent Scout\. Ask it in another note/,
    },
    Ask: { path: prompt, text: template, why: /This note is the prompt Ask\. Use it in another note/ },
  };
  for (const [name, { path, text, why }] of Object.entries(kept)) {
    await section(app, 'Agents & prompts');
    await dialog(app)
      .locator('li', { has: page.getByText(name, { exact: true }) })
      .getByRole('button', { name: 'Edit' })
      .click(late);
    const note = page.locator(`section.note[aria-label="${path}"]`);
    await expect(note.locator('.cm-content')).toBeVisible(late);
    await note.locator('.cm-content').click();
    await page.keyboard.press('ControlOrMeta+End');
    await page.keyboard.press('ControlOrMeta+Enter');
    await expect(note.getByText(why)).toBeVisible(late);
    await note.getByRole('button', { name: /^Answer/ }).click(late);
    await page.keyboard.type('x');
    // What would have been written is written by now.
    await expect.poll(() => app.readNote(path), late).toBe(`${text}x`);
  }
});

test('what is typed right after “Edit” is in the instructions of the agent', async ({ app }) => {
  const { page } = app;
  await section(app, 'Agents & prompts');
  await dialog(app)
    .locator('li', { has: page.getByText('Scout', { exact: true }) })
    .getByRole('button', { name: 'Edit' })
    .click(late);
  await page.keyboard.type('Be brief.');
  await expect
    .poll(() => app.readNote(agent), late)
    .toBe(instructions.replace('You look', '\nBe brief.\nYou look'));
});

for (const { note, why, opens, shows } of [
  {
    note: '#User : hi\n\n#Zed :',
    why: /No provider and no agent answers to “Zed”\. Give one of them this tag/,
    ...{ opens: 'Providers …', shows: 'Add provider' },
  },
  {
    note: '---\nagent: Scout\n---\n#User : hi\n',
    why: /The agent “Scout” answers once you trust this folder/,
    ...{ opens: 'Agents …', shows: 'Scout' },
  },
]) {
  test.describe(opens, () => {
    test.use({ notes: { 'Chat.md': note, [agent]: instructions } });

    test('where nobody answers, the note leads to where that is settled', async ({ app }) => {
      const { page } = app;
      await app.openNote('Chat');
      const content = page.locator('.note .cm-content');
      await content.click();
      await page.keyboard.press('ControlOrMeta+End');
      await page.keyboard.press('ControlOrMeta+Enter');
      await expect(page.getByText(why)).toBeVisible(late);
      if (process.env.SHOT) await page.screenshot({ path: `${process.env.SHOT}-${opens.slice(0, 6)}.png` });
      await page.getByRole('button', { name: opens }).click(late);
      await expect(dialog(app).getByText(shows, { exact: true }).first()).toBeVisible(late);
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Dismiss' }).click(late);
      await expect(page.getByText(why)).toHaveCount(0);
    });
  });
}

test('the history of an agent’s note does not call the file deleted', async ({ app }) => {
  const { page } = app;
  await section(app, 'Agents & prompts');
  await dialog(app).getByRole('button', { name: 'New agent' }).click();
  await expect(dialog(app)).toHaveCount(0, late);
  await app.runCommand('Show history of this note');
  await expect(page.locator('#version-now')).toContainText('as it stands in the editor');
  await expect(page.locator('#version-now')).not.toContainText('deleted');
});
