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

test('what was arranged is undone by a button and by Ctrl+Z, unless something was moved since', async ({
  app,
}) => {
  const { page } = app;
  await page.getByRole('navigation').getByRole('button', { name: 'Projects', exact: true }).click(late);
  await page.getByRole('radio', { name: 'Canvas' }).click(late);
  const arrange = page.getByRole('button', { name: 'Arrange', exact: true });
  const undo = page.getByRole('button', { name: 'Undo', exact: true });
  const file = expect.poll(() => app.readNote(path), late);
  const arranged = async () => {
    await arrange.click(late);
    await expect(page.getByText('Arranged and saved')).toBeVisible(late);
  };
  await arranged();
  await file.not.toBe(at(0));
  await page.keyboard.press('ControlOrMeta+z');
  await file.toBe(at(0));
  await expect(undo).toHaveCount(0, late);

  await arranged();
  await page.getByRole('radio', { name: 'Board' }).click(late);
  await page.getByRole('radio', { name: 'Canvas' }).click(late);
  await undo.click(late);
  await file.toBe(at(0));

  await arranged();
  await app.writeNote(path, at(777));
  await undo.click(late);
  await expect(page.getByText(/Nothing was put back|The places were not saved/)).toBeVisible(late);
  expect(await app.readNote(path)).toBe(at(777));
});
