import type { HookRun } from '../src/contract/hooks';
import { callsMade } from './support/bench';
import { type ButtonState, openByName, pressAll } from './support/buttons';
import { type AppUnderTest, expect, test } from './support/fixtures';
import { hooksFile, hooksText, hookThat, running } from './support/hooks';
import { dialog, leave, section } from './support/settings-dialog';

test.describe('hooks', () => {
  type Hooked = HookRun['outcome'] | 'off' | 'waiting';
  const hooks = {
    ok: { run: 'look', words: /^ran / },
    failed: { run: 'fail', words: /^failed / },
    running: { run: 'wait', words: 'running …' },
    stopped: { run: 'wait', words: /^stopped / },
    off: { run: 'look', words: /^(?:has not run yet|ran )/, enabled: false },
    waiting: { run: 'look', words: 'Waits until you agree to it above the note' },
  } satisfies Record<Hooked, { run: string; words: string | RegExp; enabled?: boolean }>;
  const kinds = Object.keys(hooks) as Hooked[];
  const hookOf = (kind: Hooked, more = {}) => {
    const { run, ...rest } = hooks[kind];
    return hookThat(kind, run, {
      ...(kind === 'stopped' && { on: 'before-answer', note: 'Asked.md' }),
      ...('enabled' in rest && { enabled: false }),
      ...more,
    });
  };
  const later = hookOf('waiting', { note: 'changed.md' });
  const all = (...left: Hooked[]) => left.map((kind) => (kind === 'waiting' ? later : hookOf(kind)));

  test.use({
    ...running,
    notes: {
      'Note.md': 'Hello.\n',
      'Asked.md': '#User : Well?',
      [hooksFile]: hooksText(...kinds.map((kind) => hookOf(kind))),
    },
  });

  test('whatever state a hook is in, its buttons are known and do what they say', async ({ app }) => {
    test.setTimeout(240_000);
    const { page } = app;
    const row = (kind: Hooked) =>
      dialog(app).locator('li', { has: page.getByRole('switch', { name: `“${kind}” is on` }) });
    const file = () => app.readNote(hooksFile);
    const hookIn = async (kind: Hooked) =>
      JSON.parse(await file()).hooks.find(({ name }: { name: string }) => name === kind);

    await section(app, 'Hooks');
    for (const kind of kinds) {
      const untrusted = row(kind).getByRole('button', { name: 'Run now' });
      await expect(untrusted).toBeDisabled();
    }
    await leave(app);
    await page.getByRole('button', { name: 'Trust this folder' }).click();
    await app.writeNote(hooksFile, hooksText(...all(...kinds)));
    await stopBefore(app);
    await section(app, 'Hooks');
    await expect(row('waiting')).toContainText(hooks.waiting.words);
    for (const kind of ['ok', 'failed', 'running'] as const) {
      await row(kind).getByRole('button', { name: 'Run now' }).click();
      await expect(row(kind).locator('small').last()).toHaveText(hooks[kind].words);
    }

    for (const kind of kinds) {
      const menu = async (words: string) => {
        await row(kind).getByRole('button', { name: 'More' }).click();
        await page.getByRole('menuitem', { name: words }).click();
      };
      const state: ButtonState = {
        async show(_app, button) {
          // What was stopped has been run once more by then, and waits again.
          const { words } = kind === 'stopped' && button === 'More' ? hooks.running : hooks[kind];
          await expect(row(kind).locator('small').last()).toHaveText(words);
          return row(kind);
        },
        buttons: {
          async [`“${kind}” is on`](button) {
            const isOn = kind !== 'off';
            await expect(button).toBeChecked({ checked: isOn });
            for (const on of [!isOn, isOn]) {
              await button.click();
              await expect(button).toBeChecked({ checked: on });
              await expect.poll(async () => (await hookIn(kind)).enabled ?? true).toBe(on);
            }
          },
          async 'Run now'(button) {
            if (kind === 'running' || kind === 'waiting') return expect(button).toBeDisabled();
            const before = callsMade().length;
            await button.click();
            await expect.poll(() => callsMade().slice(before)).toEqual([`${hooks[kind].run} ${kind}`]);
          },
          async More(button) {
            await button.click();
            await expect(page.getByRole('menuitem')).toHaveText(['Edit', 'Remove']);
            await page.keyboard.press('Escape');
            await menu('Edit');
            await expect(dialog(app).getByLabel('Name')).toHaveValue(kind);
            await dialog(app).getByRole('button', { name: 'Cancel' }).click();
            const there = await hookIn(kind);
            await menu('Edit');
            await dialog(app).getByRole('button', { name: 'Save', exact: true }).click();
            await expect(dialog(app).getByLabel('Name')).toHaveCount(0);
            expect(await hookIn(kind)).toEqual(there);
            const before = await file();
            await menu('Remove');
            await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click();
            await expect(page.getByRole('alertdialog')).toBeHidden();
            expect(await file()).toBe(before);
            await menu('Remove');
            await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
            await expect(row(kind)).toHaveCount(0);
            await expect.poll(() => hookIn(kind)).toBeUndefined();
          },
        },
      };
      await pressAll(app, `a hook, ${kind}`, state);
    }
  });
});

/** Has the hook that runs before an answer begin, and stops the answer. */
async function stopBefore(app: AppUnderTest): Promise<void> {
  await openByName(app, 'Asked');
  await app.page.locator('.cm-content').click();
  await app.page.keyboard.press('ControlOrMeta+End');
  await app.page.keyboard.press('ControlOrMeta+Enter');
  const toolbar = app.page.locator('section.note:visible');
  await expect(toolbar.locator('.note-run')).toContainText('The hook “stopped” runs first');
  await expect.poll(callsMade).toContain('wait stopped');
  await toolbar.getByRole('button', { name: 'Stop' }).click();
  await expect(toolbar.getByRole('button', { name: /^Answer/ })).toBeEnabled();
}
