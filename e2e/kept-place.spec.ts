import type { Page } from '@playwright/test';
import { expect, test } from './support/fixtures';

const lines = Array.from({ length: 400 }, (_, index) => `Line ${index + 1}.`);
const paragraph = 'Words that fill more than one line of a window, so that a turn has a middle. '.repeat(30);

test.use({
  notes: {
    'Long.md': `${lines.join('\n')}\n`,
    'Wide.md': `${Array.from({ length: 40 }, (_, index) => `${index + 1}: ${paragraph}`).join('\n\n')}\n`,
    'Other.md': 'Elsewhere.\n',
  },
});

interface Shown {
  readonly words: string;
  /** Pixels of it above the edge. */
  readonly above: number;
}

/** What stands at the upper edge of the text. */
const atTop = (page: Page): Promise<Shown> =>
  page.locator('.cm-scroller').evaluate((scroller) => {
    const { top } = scroller.getBoundingClientRect();
    const line = [...scroller.querySelectorAll('.cm-line')].find(
      (one) => one.getBoundingClientRect().bottom > top,
    );
    const above = top - (line?.getBoundingClientRect().top ?? 0);
    return { words: line?.textContent?.slice(0, 12) ?? '', above };
  });

const expectAtTop = async (page: Page, { words, above }: Shown) => {
  await expect
    .poll(async () => {
      const now = await atTop(page);
      return now.words === words ? Math.abs(now.above - above) : now;
    })
    .toBeLessThan(3);
};

const readTo = async (page: Page, distance: number) => {
  const scroller = page.locator('.cm-scroller');
  await scroller.hover();
  await page.mouse.wheel(0, distance);
  const scrolled = () => scroller.evaluate(({ scrollTop }) => Math.abs(scrollTop));
  await expect.poll(scrolled).toBeGreaterThan(distance - 300);
  let before = -1;
  await expect
    .poll(async () => {
      const last = before;
      before = await scrolled();
      return before - last;
    })
    .toBe(0);
};

test('whoever comes back to a note sees the lines that they left, by its tab and by its name', async ({
  app,
}) => {
  const { page } = app;
  const tab = (name: string) => page.getByRole('tab', { name: new RegExp(`^${name}`) });
  await app.openNote('Other');
  await app.openNote('Long');
  await readTo(page, 3_000);
  const scroller = page.locator('.cm-scroller');
  const { width, height, x, y } = (await scroller.boundingBox()) ?? { width: 0, height: 0, x: 0, y: 0 };
  await page.mouse.click(x + width / 2, y + height / 2);
  await page.keyboard.type('typed ');
  await expect(page.getByText('typed')).toBeInViewport();
  const left = await atTop(page);
  expect(left.words).not.toContain('Line 1.');

  for (let times = 0; times < 3; times++) {
    await tab('Other').click();
    await expect(page.getByText('Elsewhere.')).toBeVisible();
    await tab('Long').click();
    await expect(page.getByText('typed')).toBeInViewport();
    await expectAtTop(page, left);
  }
  for (const name of ['Other', 'Long']) {
    await page.keyboard.press('ControlOrMeta+o');
    await page.keyboard.insertText(name);
    await expect(page.getByRole('option', { selected: true })).toContainText(name);
    await page.keyboard.press('Enter');
    await expect(page.locator(`section.note[aria-label="${name}.md"]`)).toHaveAttribute('aria-busy', 'false');
  }
  await expectAtTop(page, left);
  await page.keyboard.type('again ');
  await expect(page.getByText('typed again')).toBeInViewport();
  await expectAtTop(page, left);
});

test('whoever only read in the middle of a long paragraph goes on there', async ({ app }) => {
  const { page } = app;
  await app.openNote('Other');
  await app.openNote('Wide');
  await readTo(page, 6_100);
  const left = await atTop(page);
  expect(left.above).toBeGreaterThan(20);
  for (let times = 0; times < 3; times++) {
    await app.openNote('Other');
    await app.openNote('Wide');
    await expectAtTop(page, left);
  }
});
