import { resolve } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { bench, benchName, blockOf, callsMade } from './support/bench';
import { type AppUnderTest, demoAtOnce, expect, test } from './support/fixtures';

const late = { timeout: 30_000 };
const task = '---\nid: T-001\ntitle: Dig\nstatus: not_started\n---\n\nWords.\n';

test.use({
  settings: { ...demoAtOnce, tools: { approval: 'ask' } },
  servers: {
    ...bench,
    garden: {
      command: process.execPath,
      args: [resolve(import.meta.dirname, '../tests/servers/views.mjs')],
      approval: { show_bed: 'allow' },
    },
  },
  notes: {
    'Beds.md': 'Beans.\n',
    'Call.md': `${blockOf('look', 'far')}\n`,
    'Chat.md': '#User : Look up far.\n',
    'Projects/tasks/T-001 Dig.md': task,
    'View.md': "```garden\ntool: show_bed\nbed: '3'\n```\n",
  },
  // What a view tries is blocked, and the browser says so.
  expectedErrors: /sandbox|frame|Content.Security/i,
});

/** Where the focus is, in words; null: nowhere. */
const focused = (page: Page) =>
  page.evaluate(() => {
    const at = document.activeElement;
    if (!at || at === document.body) return null;
    return at.getAttribute('aria-label') ?? at.textContent?.slice(0, 40) ?? at.tagName;
  });

const expectKept = async (page: Page, after: string) =>
  expect.poll(() => focused(page), { message: `the focus after: ${after}`, timeout: 20_000 }).not.toBeNull();

/** Goes on with the key until the place has the focus. */
async function goTo(page: Page, place: Locator, key = 'Tab', most = 60): Promise<void> {
  await expect(place).toBeVisible(late);
  const passed: (string | null)[] = [];
  for (let n = 0; n < most; n++) {
    if (await place.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press(key);
    passed.push(await focused(page));
  }
  expect(passed, `not reached by ${key}: ${place}`).toEqual([]);
}

async function press(page: Page, place: Locator, key = 'Enter', by = 'Tab'): Promise<void> {
  await goTo(page, place, by);
  await page.keyboard.press(key);
}
const button = (within: Page | Locator, name: string | RegExp) =>
  within.getByRole('button', { name, exact: typeof name === 'string' });

const editor = (page: Page) => page.locator('.cm-content');

/** As from the switcher, with the keys. */
async function open({ page }: AppUnderTest, name: string): Promise<void> {
  await page.keyboard.press('ControlOrMeta+o');
  await expect(page.getByRole('dialog').getByRole('combobox')).toBeFocused(late);
  await page.keyboard.insertText(name);
  await expect(page.getByRole('option', { selected: true })).toContainText(name, late);
  await page.keyboard.press('Enter');
  await expect(page.locator(`section.note[aria-label$="${name}.md"]`)).toHaveAttribute(
    'aria-busy',
    'false',
    late,
  );
  await expect(editor(page)).toBeFocused(late);
}

const asked = (page: Page) => page.locator('.approval[data-armed="true"]');

test('a question is asked, and its call is edited and allowed', async ({ app }) => {
  const { page } = app;
  await open(app, 'Chat');
  await page.keyboard.press('ControlOrMeta+End');
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect(asked(page)).toBeVisible(late);
  await expectKept(page, 'asking');
  await press(page, button(asked(page), 'Edit'));
  const box = page.getByLabel('Arguments as JSON');
  await goTo(page, box);
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.insertText('{"word": "edited"}');
  await press(page, button(asked(page), /^Allow once/));
  await expect.poll(() => callsMade(), late).toContain('look edited');
  await expectKept(page, 'allowing');
});

test('a call in a note is denied, then run again from its card', async ({ app }) => {
  const { page } = app;
  await open(app, 'Call');
  await page.keyboard.press('ControlOrMeta+Home');
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect(asked(page)).toBeVisible(late);
  await press(page, button(asked(page), /^Deny(?! with)/));
  await expect.poll(() => app.readNote('Call.md'), late).toContain('result denied');
  await expectKept(page, 'denying');
  await press(page, page.locator('.cm-card-action[title="Run again"]'), 'Enter');
  await expect(asked(page)).toBeVisible(late);
  await expectKept(page, 'running again');
  await page.keyboard.press('Alt+y');
  await expect.poll(() => callsMade(), late).toContain('look far');
  await expectKept(page, 'allowing by its key');
});

test('a tool is found and called in the tool browser, and a server turned off and on', async ({ app }) => {
  const { page } = app;
  await open(app, 'Beds');
  await page.keyboard.press('ControlOrMeta+Shift+t');
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByPlaceholder('Search all tools')).toBeFocused(late);
  await page.keyboard.insertText('look');
  await expect(dialog.getByRole('option').first()).toContainText('look', late);
  await goTo(page, dialog.getByRole('tab', { name: 'Documentation' }));
  await page.keyboard.press('ArrowRight');
  await expect(dialog.getByRole('tab', { name: 'Try' })).toBeFocused(late);
  await goTo(page, dialog.getByLabel('word'));
  await page.keyboard.insertText('there');
  await press(page, button(dialog, 'Run'));
  await expect(dialog).toContainText('found there', late);
  await expectKept(page, 'calling a tool');
  await expect(dialog.locator(':focus')).toHaveCount(1);
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0, late);
  await expect(editor(page)).toBeFocused(late);

  const status = page.locator('.status-bar').getByRole('button', { name: /MCP/ });
  await press(page, status);
  await expect(page.locator('.ui-popover')).toBeVisible(late);
  await expectKept(page, 'opening the status');
  await press(page, page.locator('.ui-popover').getByRole('button', { name: 'Pause all tools' }));
  await expectKept(page, 'pausing');
  await page.keyboard.press('Escape');
  await expect(page.locator('.ui-popover')).toHaveCount(0, late);
  await expect(status).toBeFocused();

  await app.runCommand('Show servers');
  await expect(page.getByRole('heading', { name: 'Servers', level: 1 })).toBeVisible(late);
  await expectKept(page, 'showing the servers');
  await press(page, page.locator('.ui-choice', { hasText: benchName }));
  const on = page.getByRole('switch', { name: new RegExp(benchName) });
  await goTo(page, on);
  const goOn = app.freeze();
  await page.keyboard.press('Space');
  // Longer than any moment in which the focus would be looked for a place.
  await page.waitForTimeout(1_200);
  await expect(on).toBeFocused();
  // What was pressed is being done: another press is none.
  await page.keyboard.press('Space');
  goOn();
  await expect(on).not.toBeChecked(late);
  await expect(on).not.toHaveAttribute('aria-disabled', 'true', late);
  await expect(on).toBeFocused();
  await page.keyboard.press('Space');
  await expect(on).toBeChecked(late);
  await expect(on).toBeFocused();
});

test('a task changes its status on the board and in its details', async ({ app }) => {
  const { page } = app;
  await app.runCommand('Show projects');
  await goTo(page, page.getByRole('radio', { name: 'Overview' }));
  await page.keyboard.press('ArrowRight');
  // The focus goes a moment after the key.
  await expect(page.getByRole('radio', { name: 'Board' })).toBeFocused(late);
  await page.keyboard.press('Enter');
  await expect(page.locator('.board-columns')).toBeVisible(late);
  const card = page.getByRole('button', { name: /T-001/ }).first();
  await expect(card).toBeVisible(late);
  await goTo(page, card);
  await page.keyboard.press('Shift+ArrowRight');
  await expect.poll(() => app.readNote('Projects/tasks/T-001 Dig.md'), late).toContain('status: in_progress');
  await expect(page.getByRole('button', { name: /T-001/ }).first()).toBeFocused(late);
  await page.keyboard.press('Enter');
  const details = page.locator('.entity-panel');
  await expect(details).toContainText('Status', late);
  await expectKept(page, 'opening details');
  await press(page, details.getByRole('combobox', { name: 'Status' }));
  await expect(page.getByRole('option', { name: 'In progress' })).toBeFocused(late);
  await press(page, page.getByRole('option', { name: 'Blocked' }), 'Enter', 'ArrowDown');
  await expect.poll(() => app.readNote('Projects/tasks/T-001 Dig.md'), late).toContain('status: blocked');
  await expect(details.getByRole('combobox', { name: 'Status' })).toBeFocused(late);
  await page.keyboard.press('Escape');
  await expect(details).toHaveCount(0, late);
  await expectKept(page, 'closing details');
});

test('files are renamed, moved, put into the trash and brought back', async ({ app }) => {
  const { page } = app;
  await open(app, 'View');
  await open(app, 'Beds');
  const item = (name: string) => page.getByRole('treeitem', { name, exact: true });
  const tree = page.getByRole('tree');
  await goTo(page, tree, 'Shift+Tab');
  await page.keyboard.press('Home');
  for (const _ of Array(9)) {
    if ((await item('Beds').getAttribute('aria-selected')) === 'true') break;
    await page.keyboard.press('ArrowDown');
  }
  await expect(item('Beds')).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('F2');
  await expect.poll(() => focused(page), late).not.toBe('Beds');
  await expectKept(page, 'F2');
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.insertText('Rows');
  await page.keyboard.press('Enter');
  // A name that is typed names its row as well.
  await expect(tree.getByRole('textbox')).toHaveCount(0, late);
  await expect(item('Rows')).toHaveAttribute('aria-selected', 'true', late);
  await expect(tree).toBeFocused(late);
  await page.keyboard.press('Shift+F10');
  await press(page, page.getByRole('menuitem', { name: /^Move to …|^Move …/ }), 'Enter', 'ArrowDown');
  await expect(page.getByRole('dialog').getByRole('combobox')).toBeFocused(late);
  await page.keyboard.insertText('Projects');
  await expect(page.getByRole('option', { selected: true })).toContainText('Projects', late);
  await page.keyboard.press('Enter');
  await expect.poll(() => app.readNote('Projects/Rows.md'), late).toContain('Beans');
  await expect(tree).toBeFocused(late);
  await expect(item('Rows')).toHaveAttribute('aria-selected', 'true', late);
  await page.keyboard.press('Delete');
  await expect(page.getByRole('alertdialog')).toContainText('Rows', late);
  await press(page, page.getByRole('alertdialog').getByRole('button', { name: 'Move to trash' }));
  await expect(item('Rows')).toHaveCount(0, late);
  await expectKept(page, 'moving to the trash');

  await app.runCommand('Deleted notes');
  const dialog = page.getByRole('dialog', { name: 'Deleted notes' });
  await expect(button(dialog, /^Rows/)).toBeVisible(late);
  await press(page, button(dialog, 'Bring it back'));
  await expect(item('Rows')).toBeVisible(late);
  await expectKept(page, 'bringing back');
});

test('tabs, the panels beside the note and the settings', async ({ app }) => {
  const { page } = app;
  await open(app, 'Beds');
  await open(app, 'Chat');
  await page.keyboard.press('Alt+PageUp');
  await expect(page.getByRole('tab', { name: /Beds/ })).toHaveAttribute('aria-selected', 'true', late);
  await expectKept(page, 'the tab before');
  await expect(editor(page)).toBeFocused(late);
  await page.keyboard.press('Alt+Shift+w');
  await expect(page.getByRole('tab', { name: /Beds/ })).toHaveCount(0, late);
  await expectKept(page, 'closing a tab');
  await page.keyboard.press('ControlOrMeta+Shift+b');
  const context = page.getByRole('tab', { name: 'Context' });
  await goTo(page, context);
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('tab', { name: 'History' })).toBeFocused(late);
  await page.keyboard.press('ControlOrMeta+Shift+b');
  await expect(context).toHaveCount(0, late);
  await expectKept(page, 'closing the panel');
  await page.keyboard.press('ControlOrMeta+,');
  const dialog = page.getByRole('dialog');
  await goTo(page, dialog.getByRole('navigation').getByRole('button').nth(8));
  await page.keyboard.press('Enter');
  await expect(dialog.getByRole('heading', { name: 'Tags' })).toBeVisible(late);
  await expectKept(page, 'a section');
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0, late);
  await expectKept(page, 'closing the settings');
  await page.keyboard.press('Alt+Shift+w');
  await expectKept(page, 'closing the last tab');
});

test('a view is gone into and left', async ({ app }) => {
  const { page } = app;
  await open(app, 'View');
  await page.keyboard.press('ControlOrMeta+Home');
  await page.keyboard.press('ControlOrMeta+Enter');
  const cover = page.locator('.server-view-cover');
  await expect(cover).toBeVisible(late);
  await expectKept(page, 'showing a view');
  await press(page, cover);
  await expect(page.locator('iframe.server-view-frame')).toBeFocused(late);
  await page.keyboard.press('Escape');
  await expectKept(page, 'leaving a view');
  await expect(page.locator('iframe.server-view-frame')).not.toBeFocused(late);
});
