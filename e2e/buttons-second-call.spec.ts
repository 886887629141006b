import type { ProviderServer } from '../tests/provider-server';
import { ask, bar, fileOf, nameOf, notesFor, test } from './support/answers';
import { bench, benchTool, callsMade } from './support/bench';
import { type ButtonState, openByName, type Press, pressAll } from './support/buttons';
import { type AppUnderTest, expect } from './support/fixtures';
import { calling, spoken } from './support/provider';

const buttons = ['Edit', 'Allow once', 'Allow more', 'Deny with reason …', 'Deny'] as const;
const opened = nameOf('second', 'open');

test.use({
  servers: bench,
  approval: 'ask',
  notes: {
    ...notesFor({ second: { words: '', answers: [] } }, [...buttons, 'open', 'next']),
    'Other.md': 'Hello.\n',
  },
});

const dock = ({ page }: AppUnderTest) => page.locator('.approval-dock');
const tray = ({ page }: AppUnderTest) => page.getByRole('dialog', { name: /wait for you/ });

/** Two calls of one answer wait; each looks up the note's name and which it is. */
async function askTwice(app: AppUnderTest, provider: ProviderServer, name: string): Promise<void> {
  const stop = bar(app).getByRole('button', { name: 'Stop' });
  if (await tray(app).isVisible()) await app.page.keyboard.press('Escape');
  if (await stop.isVisible()) {
    await stop.click();
    await expect(bar(app).getByRole('button', { name: /^Answer/ })).toBeEnabled();
  }
  await openByName(app, name);
  const call = (which: string): [string, object] => [benchTool('look'), { word: `${name} ${which}` }];
  const answers = [{ body: calling(call('one'), call('two')) }, { body: spoken('Fine.') }];
  await ask(app, provider, { words: '', answers });
  await expect(dock(app)).toContainText('Then 1 more: look');
}

async function openTray(app: AppUnderTest): Promise<void> {
  await app.page.locator('.approval-tray').click();
  await expect(tray(app).getByRole('article')).toHaveCount(2);
}

function second(provider: ProviderServer): ButtonState {
  const card = (app: AppUnderTest) => tray(app).getByRole('article').last();
  const word = (button: string) => `${nameOf('second', button)} two`;
  const read = (app: AppUnderTest, button: string) => app.readNote(fileOf('second', button));
  /** The first one waits as before. */
  async function firstWaits(app: AppUnderTest, button: string): Promise<void> {
    await expect(dock(app).getByRole('article')).toContainText(`${nameOf('second', button)} one`);
    await expect(dock(app)).not.toContainText('Then 1 more');
    expect(callsMade()).not.toContain(`look ${nameOf('second', button)} one`);
  }
  async function denied(app: AppUnderTest, button: string): Promise<void> {
    await expect.poll(() => read(app, button)).toContain('result denied ms=0');
    expect(callsMade()).not.toContain(`look ${word(button)}`);
    await firstWaits(app, button);
  }
  const presses: Record<(typeof buttons)[number], Press> = {
    async Edit(press, app) {
      await press.click();
      const box = card(app).getByLabel('Arguments as JSON');
      await expect(box).toHaveValue(JSON.stringify({ word: word('Edit') }, null, 2));
      await box.fill('{"word": "edited two"}');
      await card(app).getByRole('button', { name: 'Allow once' }).click();
      await expect.poll(() => read(app, 'Edit')).toContain('found edited two');
      await firstWaits(app, 'Edit');
    },
    async 'Allow once'(press, app) {
      await press.click();
      await expect.poll(() => read(app, 'Allow once')).toContain(`found ${word('Allow once')}`);
      await firstWaits(app, 'Allow once');
    },
    async 'Allow more'(press, app) {
      await press.click();
      await app.page.getByRole('menuitem', { name: 'Allow in this note' }).click();
      // What is allowed in the note holds for the first one, too.
      await expect.poll(() => read(app, 'Allow more')).toContain('Fine.');
      for (const which of ['one', 'two'])
        expect(await read(app, 'Allow more')).toContain(`found ${nameOf('second', 'Allow more')} ${which}`);
    },
    async 'Deny with reason …'(press, app) {
      await press.click();
      await card(app).getByLabel('Why not').fill('Not this one');
      await app.page.keyboard.press('Enter');
      await denied(app, 'Deny with reason …');
      await expect.poll(() => read(app, 'Deny with reason …')).toContain('Not this one');
    },
    async Deny(press, app) {
      await press.click();
      await denied(app, 'Deny');
    },
  };
  return {
    async show(app, button) {
      await askTwice(app, provider, nameOf('second', button));
      await openTray(app);
      return card(app);
    },
    buttons: presses,
  };
}

test('of two calls that wait, the second is answered in the tray, and the first waits on', async ({
  app,
  provider,
}) => {
  await pressAll(app, 'the second call', second(provider));
  await askTwice(app, provider, opened);
  await openByName(app, 'Other');
  await openTray(app);
  await tray(app)
    .getByRole('button', { name: `Open ${opened}` })
    .last()
    .click();
  await expect(app.page.locator(`section.note[aria-label="${opened}.md"]`)).toBeVisible();
});

test('when the first is answered the second takes its place, and the keys', async ({ app, provider }) => {
  const name = nameOf('second', 'next');
  await askTwice(app, provider, name);
  const { page } = app;
  await expect(dock(app).getByRole('article')).toContainText(`${name} one`);
  await dock(app)
    .getByRole('button', { name: /^Deny(?! with)/ })
    .click();
  await expect(dock(app).getByRole('article')).toContainText(`${name} two`);
  await expect(dock(app)).not.toContainText('Then 1 more');
  await expect(dock(app).locator('.approval[data-armed="true"]', { hasText: `${name} two` })).toBeVisible();
  await page.keyboard.press('Alt+y');
  await expect.poll(() => app.readNote(`${name}.md`)).toContain('Fine.');
  expect(callsMade()).toContain(`look ${name} two`);
  expect(callsMade()).not.toContain(`look ${name} one`);
});
