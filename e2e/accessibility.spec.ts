import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { demoAtOnce, expect, test } from './support/fixtures';

test.use({
  contextOptions: { reducedMotion: 'reduce' },
  notes: {
    'Welcome.md':
      '---\ntags: [garden]\n---\n# Garden\n\n| Bed | Plant |\n|---|---|\n| 1 | `peas` |\n\n- [ ] Water\n- [x] Dig\n\n> [!note] Mind the frost\n> See [[Seeds]].\n\n```vault\ntool: list_files\n```\n\n#User : What is still open?\n',
    'Seeds.md': '# Seeds\n\n- [ ] Order peas\n',
    'Projects/M-001 Beds.md':
      '---\nid: M-001\ntitle: Beds\nstatus: blocked\ntarget_date: 2026-01-01\n---\nDig.\n',
    'Projects/T-001 Dig.md':
      '---\nid: T-001\ntitle: Dig\nparent: M-001\nstatus: in_progress\npriority: high\nassignee: Ada\n---\n',
    'Projects/DEC-001 Peas.md': '---\nid: DEC-001\ntitle: Peas\nstatus: pending\nenables: [T-001]\n---\n',
    'Projects/Beds.canvas':
      '{"nodes":[{"id":"a","type":"file","file":"Projects/T-001 Dig.md","x":0,"y":0,"width":300,"height":140},{"id":"b","type":"text","text":"Dig **first**","color":"2","x":400,"y":0,"width":300,"height":140}],"edges":[{"id":"e","fromNode":"a","toNode":"b","label":"so"}]}',
  },
  servers: { broken: { command: 'no-such-program-here' } },
});

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/** Where a dialog is open, what is behind it was looked at before. */
async function expectReadable(page: Page, screen: string, rules: 'all' | 'colours') {
  const dialog = await page.getByRole('dialog').count();
  const axe = new AxeBuilder({ page }).include(dialog > 0 ? '[role="dialog"]' : 'body');
  const { violations } = await (rules === 'all'
    ? axe.withTags(tags)
    : axe.withRules(['color-contrast'])
  ).analyze();
  const grave = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
  const told = grave.flatMap(({ id, nodes }) =>
    nodes.map(({ html, any }) => `${screen}: ${id}: ${html.slice(0, 140)}: ${any[0]?.message ?? ''}`),
  );
  expect.soft(told).toEqual([]);
}

// The two themes differ in their colours only.
for (const [theme, rules] of [
  ['light', 'all'],
  ['dark', 'colours'],
] as const) {
  test.describe(`in the ${theme} theme`, () => {
    test.use({ settings: { ...demoAtOnce, theme } });

    test('no screen has a serious violation', async ({ app }) => {
      test.slow();
      const { page } = app;
      await app.openNote('Welcome');
      await page.getByText('What is still open').click();
      await page.keyboard.press('ControlOrMeta+Enter');
      await expect(page.locator('.approval[data-armed="true"]').first()).toBeVisible();
      await expectReadable(page, 'a note with an approval', rules);
      await page.keyboard.press('Alt+a');
      await page.keyboard.press('ControlOrMeta+Shift+b');
      await expect(page.getByText('What will be sent')).toBeVisible();
      await page.keyboard.press('Escape');
      await expectReadable(page, 'a note with its context', rules);

      for (const view of ['Servers', 'Health', 'History'] as const) {
        await page.getByRole('navigation').getByRole('button', { name: view, exact: true }).click();
        await expect(page.getByRole('heading', { name: view, level: 1 })).toBeVisible();
        await expectReadable(page, view, rules);
      }

      await page.getByRole('navigation').getByRole('button', { name: 'Projects', exact: true }).click();
      await expect(page.getByRole('heading', { name: 'Next steps' })).toBeVisible();
      await expectReadable(page, 'project overview', rules);
      await page.getByRole('radio', { name: 'Board' }).click();
      await page.getByRole('button', { name: /T-001/ }).click();
      await expect(page.getByRole('complementary', { name: 'Details: T-001' })).toContainText('Assignee');
      await expectReadable(page, 'project board with details', rules);
      await page.keyboard.press('Escape');
      await page.getByRole('radio', { name: 'Canvas' }).click();
      await expect(page.getByRole('group', { name: /Task T-001 Dig/ })).toBeVisible();
      await expectReadable(page, 'project canvas', rules);

      await page.keyboard.press('ControlOrMeta+Shift+t');
      await page.getByRole('dialog').getByText('read_docs').first().click();
      await expectReadable(page, 'tool browser', rules);
      await page.getByRole('tab', { name: 'Try' }).click();
      await expectReadable(page, 'trying a tool', rules);
      await page.keyboard.press('Escape');

      await page.keyboard.press('ControlOrMeta+p');
      await expect(page.getByRole('dialog')).toBeVisible();
      await expectReadable(page, 'palette', rules);
      await page.keyboard.press('Escape');
      await page.keyboard.press('ControlOrMeta+o');
      await expect(page.getByRole('dialog')).toBeVisible();
      await expectReadable(page, 'switcher', rules);
      await page.keyboard.press('Escape');

      await page.keyboard.press('ControlOrMeta+,');
      await expect(page.getByRole('dialog')).toBeVisible();
      const sections = page.getByRole('navigation', { name: 'Sections' }).getByRole('button');
      for (const section of await sections.all()) {
        await section.click();
        await expectReadable(page, `settings: ${await section.textContent()}`, rules);
      }
      await page.keyboard.press('Escape');

      await page.getByRole('navigation').getByRole('button', { name: 'Servers', exact: true }).click();
      await page.getByRole('button', { name: 'Add server' }).click();
      await expectReadable(page, 'adding a server', rules);
    });
  });
}

test.describe('by keyboard', () => {
  test.use({ settings: demoAtOnce });

  test('every dialog opens, keeps the focus inside, closes with Escape and gives the focus back', async ({
    app,
  }) => {
    const { page } = app;
    await app.openNote('Seeds');
    await page.getByText('Order peas').click();
    const editor = page.locator('.cm-content');
    await expect(editor).toBeFocused();
    const dialog = page.getByRole('dialog');
    for (const [keys, shown] of [
      ['ControlOrMeta+p', dialog.getByRole('option', { selected: true })],
      ['ControlOrMeta+o', dialog.getByRole('option', { selected: true })],
      ['ControlOrMeta+,', dialog.getByRole('heading', { name: 'General' })],
      ['ControlOrMeta+Shift+t', dialog.getByRole('tab', { name: 'Try' })],
    ] as const) {
      await page.keyboard.press(keys);
      await expect(shown).toBeVisible();
      for (let step = 0; step < 4; step++) await page.keyboard.press('Tab');
      await expect(dialog.locator(':focus')).toHaveCount(1);
      // Of a button that was passed; Escape would be for it.
      await expect(page.getByRole('tooltip')).toHaveCount(0);
      await page.keyboard.press('Escape');
      await expect(dialog).toBeHidden();
      await expect(editor).toBeFocused();
    }
  });

  test('what explains a button goes with the focus, however soon that is', async ({ app }) => {
    const { page } = app;
    await app.openNote('Seeds');
    await page.keyboard.press('ControlOrMeta+Shift+t');
    const close = page.getByRole('dialog').getByRole('button', { name: 'Close' });
    await expect(page.getByRole('dialog').getByRole('combobox')).toBeVisible();
    await page.keyboard.press('Tab');
    for (const turns of [1, 2, 3, 4, 6, 8]) {
      await close.evaluate(async (button, turns) => {
        const before = document.activeElement as HTMLElement;
        button.focus();
        for (let n = 0; n < turns; n++) {
          const { port1, port2 } = new MessageChannel();
          await new Promise((over) => {
            port1.onmessage = over;
            port2.postMessage(0);
          });
        }
        before.focus();
      }, turns);
      await expect(page.getByRole('tooltip')).toHaveCount(0);
    }
  });

  test('in the tool browser the way out keeps the focus, whatever tool is shown', async ({ app }) => {
    const { page } = app;
    await app.openNote('Seeds');
    await page.keyboard.press('ControlOrMeta+Shift+t');
    const dialog = page.getByRole('dialog');
    const search = dialog.getByPlaceholder('Search all tools');
    const close = dialog.getByRole('button', { name: 'Close' });
    await expect(dialog.getByRole('option').first()).toBeVisible();
    await close.focus();
    for (const words of ['qqqqzzzz', 'list', '']) {
      // As a server that comes or goes changes what is shown.
      await search.evaluate((input: HTMLInputElement, to) => {
        const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set;
        set?.call(input, to);
        input.dispatchEvent(new Event('input', { bubbles: true }));
      }, words);
      if (words === 'qqqqzzzz') await expect(dialog.getByRole('tab', { name: 'Try' })).toHaveCount(0);
      else await expect(dialog.getByRole('tab', { name: 'Try' })).toBeVisible();
      await expect(close).toBeFocused();
    }
    await page.keyboard.press('Enter');
    await expect(dialog).toBeHidden();
  });

  test('Escape closes only what is on top', async ({ app }) => {
    const { page } = app;
    await app.openNote('Seeds');
    await page.keyboard.press('ControlOrMeta+Shift+t');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('combobox').filter({ hasText: 'All servers' }).press('Enter');
    await expect(page.getByRole('listbox')).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(dialog).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
  });

  test('at 400 % nothing is lost sideways', async ({ app }) => {
    const { page } = app;
    await page.setViewportSize({ width: 320, height: 256 });
    await app.openNote('Seeds');
    await page.keyboard.press('ControlOrMeta+,');
    await expect(page.getByRole('dialog')).toBeVisible();
    const wide = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(wide).toBe(0);
  });
});
