import type { Locator } from '@playwright/test';
import { expect, test } from './support/provider';

const trouble = { status: 503, headers: { 'retry-after': '25' }, body: '{}' };

test.use({ notes: { 'Ask.md': '#User : Look.', 'Other.md': 'Words.\n' } });

/** Whether text that has no room ends in an ellipsis: only the block that holds the text itself can show one. */
const isCutWell = (place: Locator) =>
  place.evaluate((one) => {
    const { textOverflow, display } = getComputedStyle(one);
    const isCut = one.scrollWidth > one.clientWidth;
    const ends =
      one.getBoundingClientRect().right <= (one.parentElement?.getBoundingClientRect().right ?? 0) + 1;
    return isCut && ends && textOverflow === 'ellipsis' && !display.includes('flex');
  });

test('why an answer is tried again later is cut with an ellipsis where there is no room', async ({
  app,
  provider,
}) => {
  const { page } = app;
  await page.setViewportSize({ width: 1000, height: 700 });
  provider.answer(trouble);
  await app.openNote('Ask');
  await page.locator('.cm-content').click();
  await page.keyboard.press('ControlOrMeta+End');
  await page.keyboard.press('ControlOrMeta+Enter');
  const over = page.getByText(/^Next attempt in/).first();
  await expect(over).toContainText('has trouble of its own');
  await expect.poll(() => isCutWell(over)).toBe(true);
  await page.setViewportSize({ width: 560, height: 700 });
  await app.openNote('Other');
  const below = page.locator('.status-bar').getByText(/^Next attempt in/);
  await expect.poll(() => isCutWell(below)).toBe(true);
});
