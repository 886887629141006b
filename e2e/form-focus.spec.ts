import type { Locator, Page } from '@playwright/test';
import { type AppUnderTest, demoAtOnce, expect, test } from './support/fixtures';
import { dialog, section } from './support/settings-dialog';

test.use({
  settings: demoAtOnce,
  notes: {
    'Plan.md': 'First.\n',
    '.interlinear/hooks.json': JSON.stringify({
      hooks: [{ name: 'Sum up', on: 'saved', run: { prompt: 'Sum' } }],
    }),
  },
});

const button = (within: Locator, name: string) => within.getByRole('button', { name, exact: true });
const row = (app: AppUnderTest, words: string) => dialog(app).locator('li', { hasText: words });
const press = async (place: Locator, key = 'Enter') => {
  await place.focus();
  await place.press(key);
};
const chosen = async (page: Page, name: string) => {
  await expect(page.getByRole('menuitem', { name })).toBeVisible();
  await page.getByRole('menuitem', { name }).press('Enter');
};

interface Step {
  does: string;
  press(app: AppUnderTest): Promise<void>;
  /** Where the person goes on. */
  goesOnAt(app: AppUnderTest): Locator;
}
const pages: Record<string, Step[]> = {
  Providers: [
    {
      does: 'adding',
      press: (app) => press(button(dialog(app), 'Add provider')),
      goesOnAt: (app) => dialog(app).getByLabel('Vendor'),
    },
    {
      does: 'leaving the new one',
      press: (app) => press(button(dialog(app), 'Cancel')),
      goesOnAt: (app) => button(dialog(app), 'Add provider'),
    },
    {
      does: 'editing',
      press: (app) => press(button(row(app, 'Demo'), 'Edit')),
      goesOnAt: (app) => dialog(app).getByLabel('Vendor'),
    },
    {
      does: 'leaving',
      press: (app) => press(button(dialog(app), 'Cancel')),
      goesOnAt: (app) => button(row(app, 'Demo'), 'Edit'),
    },
    {
      does: 'editing from the menu',
      async press(app) {
        await press(button(row(app, 'Demo'), 'More'));
        await chosen(app.page, 'Edit');
      },
      goesOnAt: (app) => dialog(app).getByLabel('Vendor'),
    },
    {
      does: 'saving',
      async press(app) {
        await dialog(app).getByRole('textbox', { name: 'Tag' }).fill('Other');
        await press(button(dialog(app), 'Save'));
      },
      goesOnAt: (app) => button(row(app, 'Other'), 'Edit'),
    },
  ],
  Hooks: [
    {
      does: 'adding',
      press: (app) => press(button(dialog(app), 'Add hook')),
      goesOnAt: (app) => dialog(app).getByRole('textbox', { name: 'Name' }),
    },
    {
      does: 'leaving the new one',
      press: (app) => press(button(dialog(app), 'Cancel')),
      goesOnAt: (app) => button(dialog(app), 'Add hook'),
    },
    {
      does: 'editing',
      async press(app) {
        await press(button(row(app, 'Sum up'), 'More'));
        await chosen(app.page, 'Edit');
      },
      goesOnAt: (app) => dialog(app).getByRole('textbox', { name: 'Name' }),
    },
    {
      does: 'saving by Enter',
      press: (app) => press(dialog(app).getByRole('textbox', { name: 'Name' })),
      goesOnAt: (app) => button(row(app, 'Sum up'), 'More'),
    },
  ],
  'Usage & cost': [
    {
      does: 'changing a price',
      async press(app) {
        await dialog(app).locator('summary').press('Enter');
        await press(button(dialog(app).locator('.settings-prices li').first(), 'Edit'));
      },
      goesOnAt: (app) => dialog(app).getByRole('textbox', { name: 'sent', exact: true }),
    },
    {
      does: 'saving it',
      press: (app) => press(button(dialog(app), 'Save')),
      goesOnAt: (app) => dialog(app).getByRole('textbox', { name: 'Model', exact: true }),
    },
    {
      does: 'taking it back',
      press: (app) => press(button(dialog(app), 'Reset')),
      // Not at a button: what was pressed twice would press that.
      goesOnAt: (app) => dialog(app).locator('.settings-prices li').first(),
    },
  ],
};

for (const [name, steps] of Object.entries(pages))
  test(`in the settings’ page “${name}” the focus is where the person goes on`, async ({ app }) => {
    await section(app, name);
    for (const { does, press, goesOnAt } of steps)
      await test.step(does, async () => {
        await press(app);
        await expect(goesOnAt(app)).toBeFocused();
        // And stays.
        await app.page.waitForTimeout(700);
        await expect(goesOnAt(app)).toBeFocused();
      });
  });

test('what was typed before is discarded, and the focus is in its form', async ({ app }) => {
  await section(app, 'Providers');
  await press(button(row(app, 'Demo'), 'Edit'));
  await dialog(app).getByRole('textbox', { name: 'Tag' }).fill('Other');
  await section(app, 'Hooks');
  await section(app, 'Providers');
  if (await button(row(app, 'Demo'), 'Edit').isVisible()) await press(button(row(app, 'Demo'), 'Edit'));
  await press(button(dialog(app).locator('.draft-note'), 'Discard'));
  await expect(dialog(app).getByLabel('Vendor')).toBeFocused();
});

test('in the palette the Tab key stops nowhere where no key does anything', async ({ app }) => {
  const { page } = app;
  await page.keyboard.press('ControlOrMeta+p');
  const box = page.getByRole('dialog').getByRole('combobox');
  await expect(box).toBeFocused();
  for (const key of ['Tab', 'Tab', 'Shift+Tab']) {
    await page.keyboard.press(key);
    await expect(box).toBeFocused();
  }
});
