import { rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from './support/fixtures';

const words = join(process.env.TMPDIR ?? '/tmp', `changed-tool-${process.pid}`);
const program = resolve(import.meta.dirname, '../tests/servers/redescribed.mjs');

test.use({
  servers: { book: { command: 'node', args: [program, `${words}-calls`, words] } },
});

test.afterAll(() => {
  for (const file of [words, `${words}-calls`]) rmSync(file, { force: true });
});

test('what a server changed a moment before “Allow” is not allowed: the tool browser says so and shows what it is now', async ({
  app,
}) => {
  const { page } = app;
  writeFileSync(words, 'Looks up words.');
  await page.keyboard.press('ControlOrMeta+Shift+t');
  await page.getByPlaceholder('Search all tools').fill('retell');
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('Looks up words.');
  await dialog.getByRole('tab', { name: 'Try' }).click();
  writeFileSync(words, 'Burns the book.');
  await dialog.getByRole('button', { name: 'Run', exact: true }).click();
  await dialog.getByRole('tab', { name: 'Documentation' }).click();
  // As the new words are drawn, by a finger that was on its way.
  await page.evaluate(
    () =>
      new Promise<void>((pressed) => {
        const press = () => {
          const tool = document.querySelector('.tool');
          if (!tool?.textContent?.includes('Burns the book.')) return requestAnimationFrame(press);
          const buttons = [
            ...tool.querySelectorAll<HTMLElement>('.tool-rules [role="radio"], .tool-rules button'),
          ];
          buttons.find(({ textContent }) => textContent === 'Allow')?.click();
          return pressed();
        };
        press();
      }),
  );
  const notice = dialog.getByText('changed this tool while you were looking at it, so nothing was allowed');
  await expect(notice).toBeVisible();
  expect(await app.readData('mcp.json')).not.toContain('approval');

  await page.waitForTimeout(600);
  await dialog.getByText('Allow', { exact: true }).click();
  await expect.poll(() => app.readData('mcp.json')).toContain('"retell": "allow"');
  await expect(notice).toHaveCount(0);
});
