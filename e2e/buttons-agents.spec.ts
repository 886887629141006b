import type { ContributionEntry } from '../src/contract/vault';
import { type Press, pressAll } from './support/buttons';
import { expect, test } from './support/fixtures';
import { dialog, leave, section } from './support/settings-dialog';

test.describe('agents', () => {
  const agents = '.interlinear/agents';
  const careful = '---\nprovider: Demo\n---\nYou check.\n';
  const free = (tools: string) =>
    `---\nprovider: Demo\napproval: allow\ntools: [${tools}]\n---\nYou check.\n`;
  const waits = 'Not what you agreed to: it answers once you agree to it as it is now.';
  type Consent = ContributionEntry['consent']['kind'];
  /** How it comes into the folder, and what is said of it. */
  const states = {
    given: { text: careful, problem: '' },
    new: { text: free('look'), problem: waits },
    changed: { text: free('fail'), problem: waits },
  } satisfies Record<Consent, { text: string; problem: string }>;

  test.use({
    notes: {
      'Note.md': 'Hello.\n',
      [`${agents}/given.md`]: careful,
      [`${agents}/changed.md`]: free('look'),
    },
  });

  test('an agent of one’s own, one that was brought, and one that was changed are told apart and opened', async ({
    app,
  }) => {
    const { page } = app;
    const content = dialog(app).locator('.settings-content');
    const row = (name: string) => content.locator('li', { has: page.getByText(name, { exact: true }) });
    await section(app, 'Agents & prompts');
    await expect(row('changed').locator('.settings-problem')).toHaveText(/^Not trusted yet/);
    await content.getByRole('button', { name: 'To the folder’s settings' }).click();
    await expect(dialog(app).getByRole('switch', { name: 'Trust this folder' })).not.toBeChecked();
    await leave(app);
    await page.getByRole('button', { name: 'Trust this folder' }).click();
    for (const name of ['new', 'changed'] as const)
      await app.writeNote(`${agents}/${name}.md`, states[name].text);

    for (const [name, { problem }] of Object.entries(states)) {
      await pressAll(app, `an agent, ${name}`, {
        async show() {
          await section(app, 'Agents & prompts');
          await expect(row(name).locator('.settings-problem')).toHaveText(problem === '' ? [] : [problem]);
          return row(name);
        },
        buttons: {
          async Edit(button) {
            await button.click();
            await expect(page.locator(`section.note[aria-label="${agents}/${name}.md"]`)).toBeVisible();
          },
        },
      });
    }
    const made = (folder: string, name: string): Press => {
      return async (button) => {
        await button.click();
        await expect(
          page.locator(`section.note[aria-label=".interlinear/${folder}/${name}.md"]`),
        ).toBeVisible();
        await expect.poll(() => app.readNote(`.interlinear/${folder}/${name}.md`)).toMatch(/^---\n/);
      };
    };
    await pressAll(app, 'the page of agents', {
      async show() {
        await section(app, 'Agents & prompts');
        return content.locator('.settings-list > li:last-child');
      },
      buttons: { 'New agent': made('agents', 'New-agent'), 'New prompt': made('prompts', 'New prompt') },
    });
  });
});
