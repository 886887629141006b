import type { ContributionEntry } from '../src/contract/vault';
import { callsMade } from './support/bench';
import { type ButtonState, pressAll } from './support/buttons';
import { expect, test } from './support/fixtures';
import { hooksFile, hooksText, hookThat, running } from './support/hooks';
import { dialog, leave, section } from './support/settings-dialog';

test.describe('what a folder brings', () => {
  test.use({
    ...running,
    notes: { 'Note.md': 'Hello.\n', [hooksFile]: hooksText(hookThat('first', 'look')) },
  });

  /** What is asked above the tabs; where all is agreed to, nothing is. */
  const consents = {
    new: { title: 'This folder brings things that can run', yes: 'Trust this folder' },
    changed: { title: 'Something in this folder is not what you agreed to', yes: 'Agree to this' },
  } satisfies Record<Exclude<ContributionEntry['consent']['kind'], 'given'>, { title: string; yes: string }>;
  let version = 0;

  test('the banner of a folder asks once for what is new or changed, and does what its buttons say', async ({
    app,
  }) => {
    const banner = app.page.locator('.ui-callout', {
      has: app.page.getByRole('list', { name: 'What would run' }),
    });
    for (const kind of ['new', 'changed'] as const) {
      const { title, yes } = consents[kind];
      const state: ButtonState = {
        async show() {
          // Another content, since what was put off is not asked again.
          const hook = hookThat('first', 'look', { tool: `version/${++version}` });
          await app.writeNote(hooksFile, hooksText(hook));
          await expect(banner).toContainText(`version/${version}`);
          await expect(banner.locator('strong').first()).toHaveText(title);
          return banner;
        },
        buttons: {
          async 'Not now'(button) {
            await button.click();
            await expect(banner).toHaveCount(0);
            await section(app, 'Hooks');
            const row = dialog(app).locator('li', { hasText: 'first' });
            if (kind === 'new') await expect(row.getByRole('button', { name: 'Run now' })).toBeDisabled();
            else await expect(row).toContainText('Waits until you agree');
            await leave(app);
          },
          async [yes](button) {
            await button.click();
            await expect(banner).toHaveCount(0);
            await section(app, 'Hooks');
            const row = dialog(app).locator('li', { hasText: 'first' });
            await expect(row).not.toContainText('Waits until you agree');
            const before = callsMade().length;
            await row.getByRole('button', { name: 'Run now' }).click();
            // The row may still say how it ran the last time.
            await expect.poll(() => callsMade().slice(before)).toEqual(['look first']);
            await expect(row).toContainText(/ran (?:just now|.* ago)/);
            await leave(app);
          },
        },
      };
      await pressAll(app, `what a folder brings, ${kind}`, state);
    }
  });

  test('a press in the first half second, which was meant for what stood there before, agrees to nothing', async ({
    app,
  }) => {
    const yes = app.page.getByRole('button', { name: /^(Trust this folder|Agree to this)$/ });
    /** Presses at its place the moment that it is there, as a hand that was on its way. */
    const pressAtOnce = () =>
      app.page.evaluate(
        () =>
          new Promise<{ was: string; got: string }>((resolve) => {
            const look = () => {
              const fresh = document.querySelector<HTMLElement>('.answers[data-fresh="true"] button');
              if (!fresh) return requestAnimationFrame(look);
              const { x, y, width, height } = fresh.getBoundingClientRect();
              const hit = document.elementFromPoint(x + width / 2, y + height / 2);
              resolve({ was: fresh.tagName, got: hit?.closest('button') ? 'the answer' : 'nothing' });
            };
            look();
          }),
      );
    await expect(yes).toBeVisible();
    const press = pressAtOnce();
    await app.writeNote(hooksFile, hooksText(hookThat('first', 'look', { tool: 'another/tool' })));
    expect(await press).toEqual({ was: 'BUTTON', got: 'nothing' });
    await yes.click();
    await expect(yes).toHaveCount(0);
  });
});
