import type { Page } from '@playwright/test';
import { expect, test } from './support/fixtures';

const late = { timeout: 30_000 };
const path = 'Projects/Garden.canvas';
const at = (x: number) =>
  `{"nodes":[{"id":"m","type":"file","file":"Projects/milestones/M-001 Beds.md","x":${x},"y":0,"width":300,"height":120},
{"id":"t","type":"file","file":"Projects/tasks/T-001 Dig.md","x":10,"y":10,"width":300,"height":120}],"edges":[]}\n`;

test.use({
  notes: {
    'Projects/milestones/M-001 Beds.md':
      '---\nid: M-001\ntitle: Beds\nworkstream: garden\nstatus: not_started\n---\n',
    'Projects/tasks/T-001 Dig.md':
      '---\nid: T-001\ntitle: Dig\nworkstream: garden\nstatus: not_started\nparent: M-001\n---\n',
    [path]: at(0),
  },
});

async function openCanvas(page: Page) {
  await page.getByRole('navigation').getByRole('button', { name: 'Projects', exact: true }).click(late);
  await page.getByRole('radio', { name: 'Canvas' }).click(late);
  return {
    undo: page.getByRole('button', { name: 'Undo', exact: true }),
    redo: page.getByRole('button', { name: 'Redo', exact: true }),
    card: page.getByRole('group', { name: /Task T-001/ }),
    said: (words: string) =>
      expect(page.getByRole('status').getByText(words, { exact: true })).toBeVisible(late),
  };
}

test('what was arranged is undone by a button and by Ctrl+Z, unless something was moved since', async ({
  app,
}) => {
  const { page } = app;
  const { undo } = await openCanvas(page);
  const arrange = page.getByRole('button', { name: 'Arrange', exact: true });
  const file = expect.poll(() => app.readNote(path), late);
  const arranged = async () => {
    await arrange.click(late);
    await expect(page.getByText('Arranged and saved')).toBeVisible(late);
  };
  await arranged();
  await file.not.toBe(at(0));
  await page.keyboard.press('ControlOrMeta+z');
  await file.toBe(at(0));
  await expect(undo).toBeDisabled(late);

  await arranged();
  await page.getByRole('radio', { name: 'Board' }).click(late);
  await page.getByRole('radio', { name: 'Canvas' }).click(late);
  await undo.click(late);
  await file.toBe(at(0));

  await arranged();
  await app.writeNote(path, at(777));
  await undo.click(late);
  await expect(page.getByText(/Nothing was moved|The places were not saved/)).toBeVisible(late);
  expect(await app.readNote(path)).toBe(at(777));
});

test('cards that were dragged go back by Ctrl+Z one after the other, and forth by Ctrl+Shift+Z', async ({
  app,
}) => {
  const { page } = app;
  const { undo, redo, card, said } = await openCanvas(page);
  await expect(card).toBeVisible(late);
  await expect(undo).toBeDisabled(late);
  const drag = async (by: number) => {
    const box = await card.boundingBox();
    if (!box) throw new Error('The card is not drawn.');
    const [x, y] = [box.x + box.width / 2, box.y + box.height - 8];
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + by / 2, y, { steps: 4 });
    await page.mouse.move(x + by, y, { steps: 4 });
    await page.mouse.up();
    await said('Saved');
  };
  const file = expect.poll(() => app.readNote(path), late);
  await drag(80);
  await file.not.toBe(at(0));
  const once = await app.readNote(path);
  await page.keyboard.press('ControlOrMeta+z');
  await said('Undone and saved');
  await file.toBe(at(0));
  await page.keyboard.press('ControlOrMeta+Shift+z');
  await said('Redone and saved');
  await file.toBe(once);
  await drag(60);
  await file.not.toBe(once);
  // Where nothing lies the canvas has its keys, too.
  await page.locator('.react-flow__pane').click({ position: { x: 12, y: 12 }, ...late });
  await page.keyboard.press('ControlOrMeta+z');
  await page.keyboard.press('ControlOrMeta+z');
  await file.toBe(at(0));
  await expect(undo).toBeDisabled(late);
  await redo.click(late);
  await file.toBe(once);

  await app.writeNote(path, at(5));
  await undo.click(late);
  const alert = page.getByRole('alert');
  await expect(alert).toContainText(/Nothing was moved|The places were not saved/, late);
  expect(await app.readNote(path)).toBe(at(5));
  await drag(40);
  await expect(alert).toHaveCount(0, late);
});

test('a canvas whose former bytes another program puts back is shown as it is', async ({ app }) => {
  const { page } = app;
  const { undo, card, said } = await openCanvas(page);
  await expect(card).toBeVisible(late);
  const x = async () => Math.round((await card.boundingBox())?.x ?? 0);
  const first = await x();
  await card.click(late);
  await page.keyboard.press('ArrowRight');
  await said('Saved');
  await expect(undo).toBeEnabled(late);
  expect(await x()).not.toBe(first);
  await app.writeNote(path, at(0));
  await expect.poll(x, late).toBe(first);
});
