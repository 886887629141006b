import type { Page } from '@playwright/test';
import { bench, benchName, blockOf } from './support/bench';
import { type AppUnderTest, demoAtOnce, expect, test } from './support/fixtures';

const late = { timeout: 30_000 };
const sizes = [
  [1280, 800],
  [1000, 700],
  [640, 400],
] as const;

const task = (id: string, more = '') =>
  `---\nid: ${id}\ntitle: Dig the long beds behind the old greenhouse\nworkstream: garden\nstatus: in_progress\n${more}---\n\nWords about it.\n`;

test.use({
  settings: { ...demoAtOnce, tools: { approval: 'ask' } },
  servers: bench,
  notes: {
    'Note.md': '#User : Which seeds?\n',
    'Call.md': `${blockOf('look', 'far')}\n`,
    'Projects/tasks/T-001 Dig.md': task('T-001', 'archived: true\n'),
    'Projects/tasks/T-002 Sow.md': task('T-002', 'depends_on: [T-001]\n'),
    'Projects/decisions/DEC-001 Peat.md': task('DEC-001').replace('in_progress', 'pending'),
  },
});

/** What can be pressed and neither lies within the window nor can be scrolled there, up and down. */
const outOfReach = (page: Page, within: string) =>
  page.locator(within).evaluateAll((places) => {
    const pressed =
      'button, [role="button"], [role^="menuitem"], [role="option"], [role="tab"], a[href], input';
    const scrolls = (overflow: string) => overflow === 'auto' || overflow === 'scroll';
    return places.flatMap((place) =>
      [...place.querySelectorAll<HTMLElement>(pressed)]
        .filter(
          (one) => one.checkVisibility({ visibilityProperty: true }) && !one.closest('[aria-hidden="true"]'),
        )
        .filter((one) => {
          let { left, top, right, bottom } = one.getBoundingClientRect();
          if (right - left < 2 || bottom - top < 2) return false;
          const cut = (box: { left: number; top: number; right: number; bottom: number }) =>
            left < box.left - 1 || right > box.right + 1 || top < box.top - 1 || bottom > box.bottom + 1;
          for (let around = one.parentElement; around; around = around.parentElement) {
            const style = getComputedStyle(around);
            const box = around.getBoundingClientRect();
            if (scrolls(style.overflowY) && (top < box.top || bottom > box.bottom)) {
              const height = Math.min(bottom - top, box.height);
              top = box.top;
              bottom = top + height;
            }
            const hides = style.overflowX !== 'visible';
            if (hides && cut(box)) return true;
            if (style.position === 'fixed') break;
          }
          return cut({ left: 0, top: 0, right: innerWidth, bottom: innerHeight });
        })
        .map((one) => {
          const { left, top, right, bottom } = one.getBoundingClientRect();
          const words = one.getAttribute('aria-label') ?? one.textContent?.slice(0, 30) ?? '';
          return `${words} [${[left, top, right, bottom].map(Math.round)}]`;
        }),
    );
  });

interface Place {
  /** Opens it in the app as it stands after the one before was closed. */
  open(app: AppUnderTest): Promise<void>;
  /** Where its buttons are. */
  readonly within: string;
  /** How it is left; else by Escape. */
  close?(app: AppUnderTest): Promise<void>;
}

const dialog = '[role="dialog"], [role="alertdialog"]';
const area = ({ page }: AppUnderTest, name: string) =>
  page.getByRole('navigation').first().getByRole('button', { name, exact: true }).click();
const byCommand = (words: string): Place => ({ open: (app) => app.runCommand(words), within: dialog });
const details = (on: string, id: string): Place => ({
  async open(app) {
    await area(app, 'Projects');
    await app.page.getByRole('radio', { name: on }).click();
    await app.page
      .getByRole('button', { name: new RegExp(id) })
      .first()
      .press('Enter');
  },
  within: '.entity-panel',
  close: (app) => app.page.locator('.entity-panel').getByRole('button', { name: 'Close' }).press('Enter'),
});
const section = (at: number): Place => ({
  async open({ page }) {
    await page.keyboard.press('ControlOrMeta+,');
    await page.getByRole('dialog').getByRole('navigation').getByRole('button').nth(at).click(late);
  },
  within: dialog,
});
const side = (words: string): Place => ({
  async open(app) {
    await app.openNote('Note');
    await app.runCommand(words);
  },
  within: '.side-right',
  close: ({ page }) => page.keyboard.press('ControlOrMeta+Shift+b'),
});

const places: Record<string, Record<string, Place>> = {
  panels: {
    'details on the board': details('Board', 'T-002'),
    'details on the decisions': details('Decisions', 'DEC-001'),
    'the history of a note': side('History of this note'),
    'what will be sent': {
      async open(app) {
        await app.openNote('Note');
        await app.page.keyboard.press('ControlOrMeta+Shift+b');
        await app.page.getByRole('tab', { name: 'Context' }).click(late);
        await app.page.locator('.cm-content').click();
      },
      within: '.side-right',
      close: ({ page }) => page.keyboard.press('ControlOrMeta+Shift+b'),
    },
    'details of what is archived': {
      async open(app) {
        await details('Board', 'T-002').open(app);
        await app.page.locator('.entity-panel').getByRole('button', { name: 'T-001' }).first().click(late);
        await expect(app.page.locator('.entity-panel')).toContainText('Archived', late);
      },
      within: '.entity-panel',
      close: details('Board', 'T-001').close,
    },
  },
  'dialogs by command': {
    palette: { open: ({ page }) => page.keyboard.press('ControlOrMeta+p'), within: dialog },
    'deleted notes': byCommand('Deleted notes'),
    'new task': byCommand('New task'),
    'new server': {
      async open(app) {
        await area(app, 'Servers');
        await app.page.getByRole('button', { name: 'Add server' }).click(late);
      },
      within: dialog,
    },
    'export of servers': {
      async open(app) {
        await area(app, 'Servers');
        await app.page.getByRole('button', { name: 'Export', exact: true }).click(late);
      },
      within: dialog,
    },
    'a server': {
      async open(app) {
        await area(app, 'Servers');
        await app.page.locator('.ui-choice', { hasText: benchName }).click(late);
        const server = app.page.getByRole('article', { name: benchName, exact: true });
        await server.getByRole('button', { name: 'More' }).click(late);
        await app.page.getByRole('menuitem', { name: 'Edit' }).click(late);
      },
      within: dialog,
    },
    'calls that wait, from elsewhere': {
      async open(app) {
        await app.openNote('Call');
        await app.page.getByRole('button', { name: /^Run Ctrl/ }).click(late);
        await app.openNote('Note');
        await app.page.locator('.approval-tray').click(late);
      },
      within: '.ui-popover',
    },
    'tool browser': { open: ({ page }) => page.keyboard.press('ControlOrMeta+Shift+t'), within: dialog },
    'status of servers': {
      open: ({ page }) => page.locator('.status-bar').getByRole('button', { name: /MCP/ }).click(),
      within: '.ui-popover',
    },
  },
  settings: Object.fromEntries(
    [...Array(11).keys()].map((at) => [`page ${at + 1} of the settings`, section(at)]),
  ),
};

for (const [group, table] of Object.entries(places)) {
  test(`${group}: all that can be pressed lies within the window, or is scrolled to, at any size`, async ({
    app,
  }) => {
    test.setTimeout(180_000);
    const { page } = app;
    const found: string[] = [];
    for (const [name, { open, within, close }] of Object.entries(table)) {
      await page.setViewportSize({ width: 1280, height: 800 });
      await open(app);
      await expect(page.locator(within).first(), name).toBeVisible(late);
      for (const [width, height] of sizes) {
        await page.setViewportSize({ width, height });
        // Panels are laid out anew a frame later.
        await page.evaluate(
          () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))),
        );
        if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/${name}-${width}.png` });
        for (const one of await outOfReach(page, within)) found.push(`${name} at ${width}×${height}: ${one}`);
      }
      if (close) await close(app);
      else await page.keyboard.press('Escape');
      await expect(page.locator(within), name).toHaveCount(0, late);
    }
    expect(found).toEqual([]);
  });
}
