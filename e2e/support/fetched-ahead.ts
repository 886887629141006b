import { expect, type Page } from '@playwright/test';

/** Resolves once nothing has been fetched for a while: what the page fetches ahead is there. */
export const fetchedAhead = (page: Page): Promise<void> =>
  expect
    .poll(
      () =>
        page.evaluate(() => {
          const ends = performance
            .getEntriesByType('resource')
            .map((entry) => entry.startTime + entry.duration);
          return performance.now() - Math.max(...ends);
        }),
      { timeout: 30_000 },
    )
    .toBeGreaterThan(1_500);
