import type { Locator, Page } from '@playwright/test';
import { bench, benchName, blockOf } from './support/bench';
import { demoAtOnce, expect, test } from './support/fixtures';

const asked = `${blockOf('wait', 'a word that tells at some length what is to be waited for, and how long')}\n`;

/** What of a card's line stands beyond its edges, in pixels and words. */
const outside = (page: Page) =>
  page.locator('.cm-card-head').evaluate((head) => {
    const edge = head.getBoundingClientRect();
    return [...head.querySelectorAll('.cm-card-toggle > *')]
      .map((part) => ({
        words: part.textContent,
        by: Math.round(part.getBoundingClientRect().right - edge.right),
      }))
      .filter(({ by }) => by > 0);
  });

/** Pixels of its words for which there is no room. */
const cutOff = (part: Locator) =>
  part.evaluate((element) => {
    const words = document.createRange();
    words.selectNodeContents(element);
    const { paddingLeft, paddingRight } = getComputedStyle(element);
    const room =
      element.getBoundingClientRect().width -
      Number.parseFloat(paddingLeft) -
      Number.parseFloat(paddingRight);
    return Math.max(0, Math.ceil((words.getBoundingClientRect().width - room) * 10) / 10);
  });

for (const theme of ['light', 'dark'])
  test.describe(`in the ${theme} theme`, () => {
    test.use({
      settings: { ...demoAtOnce, theme },
      servers: bench,
      notes: { 'Block.md': asked },
    });

    test('what a card says stands within it in a window of any width, and that a call waits for a person first', async ({
      app,
    }) => {
      const { page } = app;
      await app.openNote('Block');
      await page.locator('.note-text').getByTitle('Run this tool call').click();
      const card = page.locator('.cm-card');
      const waits = card.getByText('waits for your answer');
      await expect(waits).toBeVisible();
      for (const width of [1280, 800, 640, 480]) {
        await page.setViewportSize({ width, height: 700 });
        await expect.poll(() => outside(page), { message: `at ${width}` }).toEqual([]);
        if (width < 640) continue;
        for (const part of [waits, card.locator('.cm-card-tool')])
          await expect.poll(() => cutOff(part), { message: `cut off at ${width}` }).toBe(0);
      }
      await expect(card).toContainText(benchName);
    });
  });
