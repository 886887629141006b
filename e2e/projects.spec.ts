import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { demoAtOnce, expect, test } from './support/fixtures';

const entity = (id: string, title: string, more: string) =>
  `---\nid: ${id}\ntype: ${id.startsWith('M') ? 'milestone' : 'task'}\ntitle: ${title}\nworkstream: garden\n${more}\n---\n\nWords about it.\n`;
const node = (id: string, file: string, x: number) =>
  `{"id":"${id}","type":"file","file":"${file}","x":${x},"y":0,"width":300,"height":140}`;

test.use({
  settings: demoAtOnce,
  notes: {
    'Weekly.md': '# Weekly\n\nFirst T-001, never T-777.\n',
    'Projects/milestones/M-001 Beds.md': entity('M-001', 'Beds', 'status: in_progress'),
    'Projects/tasks/T-001 Dig.md': entity('T-001', 'Dig the beds', 'parent: M-001\nstatus: not_started'),
    'Projects/tasks/T-002 Sow.md': entity(
      'T-002',
      'Sow peas',
      'parent: M-001\nstatus: blocked # by frost\ndepends_on: [T-001]',
    ),
    'Projects/tasks/T-003 Water.md': entity('T-003', 'Water', 'status: completed'),
    'Copy of T-003.md': entity('T-003', 'Water', 'status: completed'),
    'Projects/Garden.canvas': `{"nodes":[${node('m', 'Projects/milestones/M-001 Beds.md', 0)},
  ${node('t', 'Projects/tasks/T-002 Sow.md', 10)},
  {"id":"w","type":"text","text":"as  I wrote it","x":5,"y":5,"width":200,"height":80,"mine":[1,  2]}],"edges":[]}`,
  },
});

test('a project is overlooked, moved on, arranged and added to; all of it is in the files', async ({
  app,
}) => {
  const { page } = app;
  await page.getByRole('navigation').getByRole('button', { name: 'Projects', exact: true }).click();
  const garden = page.getByRole('article', { name: 'garden' });
  await expect(garden).toContainText('Blocked on the critical path: T-002');
  await expect(page.getByText('T-003 is the id of 2 notes')).toBeVisible();

  await page.getByRole('radio', { name: 'Board' }).click();
  const column = (name: string) => page.getByRole('region', { name: new RegExp(`^${name}`) });
  await column('Not started').getByRole('button', { name: /T-001/ }).focus();
  await page.keyboard.press('Shift+ArrowRight');
  await expect(column('In progress').getByRole('button', { name: /T-001/ })).toBeFocused();
  await expect(page.getByRole('status').getByText('T-001 moved to In progress')).toBeAttached();
  await expect.poll(() => app.readNote('Projects/tasks/T-001 Dig.md')).toContain('status: in_progress\n');
  await page.keyboard.press('ArrowRight');
  await expect(column('Blocked').getByRole('button', { name: /T-002/ })).toBeFocused();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Shift+ArrowLeft');
  await expect(page.getByRole('alert')).toContainText('2 notes have the id T-003');
  await expect(column('Completed').getByRole('button', { name: /T-003/ })).toBeFocused();

  await column('Blocked').getByRole('button', { name: /T-002/ }).press('Enter');
  const details = page.getByRole('complementary', { name: 'Details: T-002' });
  await details.getByRole('combobox', { name: 'Priority' }).press('Enter');
  await page.getByRole('option', { name: 'Critical' }).click();
  await expect
    .poll(() => app.readNote('Projects/tasks/T-002 Sow.md'))
    .toMatch(/status: blocked # by frost\n[\s\S]*priority: critical\n[\s\S]*Words about it\.\n$/);
  await expect(details.getByRole('button', { name: /T-001 Dig the beds/ })).toBeVisible();
  await page.keyboard.press('Escape');

  await page.getByRole('radio', { name: 'Canvas' }).click();
  const sow = page.getByRole('group', { name: 'Task T-002 Sow peas, Blocked' });
  await expect(sow).toBeVisible();
  const before = await app.readNote('Projects/Garden.canvas');
  await page.getByRole('button', { name: 'Arrange' }).click();
  await expect(page.getByText('Arranged and saved')).toBeVisible();
  const arranged = await app.readNote('Projects/Garden.canvas');
  const withoutPlaces = (text: string) => text.replace(/"(x|y)":-?\d+/g, '"$1":0');
  expect(arranged).not.toBe(before);
  expect(withoutPlaces(arranged)).toBe(withoutPlaces(before));
  const places = (JSON.parse(arranged) as { nodes: { id: string; x: number }[] }).nodes;
  expect(places[1]?.x).toBeGreaterThan(places[0]?.x ?? 0);
  await page.keyboard.press('Tab');
  await expect(page.getByRole('group', { name: /Milestone M-001/ })).toBeFocused();
  await page.keyboard.press('ArrowRight');
  await expect.poll(() => app.readNote('Projects/Garden.canvas')).not.toBe(arranged);
  await sow.press('Enter');
  await expect(page.getByRole('tab', { name: 'T-002 Sow' })).toHaveAttribute('aria-selected', 'true');

  await page.getByRole('tab', { name: 'Projects' }).click();
  await page.getByRole('radio', { name: 'Check' }).click();
  await page.getByRole('button', { name: /^Repair: Copy of T-003\.md/ }).click();
  await expect(page.getByText('1 repaired')).toBeVisible();
  await expect.poll(() => app.readNote('Copy of T-003.md')).toContain('id: T-004\n');
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => app.readNote('Copy of T-003.md')).toContain('id: T-003\n');
  await page.getByRole('button', { name: /^Repair: Copy of T-003\.md/ }).click();
  await expect(page.getByText('Nothing is wrong')).toBeVisible();

  await app.runCommand('new task');
  await expect(page.getByRole('dialog', { name: 'New task' }).getByLabel('Title')).toBeFocused();
  await page.keyboard.type('Tie up the beans');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('tab', { name: 'T-006 Tie up the beans' })).toBeVisible();
  await expect.poll(() => app.readNote('Projects/tasks/T-006 Tie up the beans.md')).toContain('id: T-006\n');

  await app.openNote('Weekly');
  const link = page.locator('.cm-entity');
  await expect(link).toHaveText('T-001');
  await link.hover();
  await expect(page.getByText('Task · In progress')).toBeVisible();
  await link.click();
  await page.keyboard.press('Alt+Enter');
  await expect(page.getByRole('tab', { name: 'T-001 Dig' })).toHaveAttribute('aria-selected', 'true');
});

test('of presses that come faster than a card is drawn or saved each counts, in their order', async ({
  app,
}) => {
  const { page } = app;
  await page.getByRole('navigation').getByRole('button', { name: 'Projects', exact: true }).click();
  await page.getByRole('radio', { name: 'Board' }).click();
  const column = (name: string) => page.getByRole('region', { name: new RegExp(`^${name}`) });
  const card = column('Not started').getByRole('button', { name: /T-001/ });
  await expect(card).toBeVisible();
  await card.focus();
  await page.evaluate(() => {
    for (const key of ['ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowLeft']) {
      const press = { key, shiftKey: true, bubbles: true, cancelable: true };
      document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', press));
    }
  });
  await expect(column('Blocked').getByRole('button', { name: /T-001/ })).toBeFocused();
  const note = () => app.readNote('Projects/tasks/T-001 Dig.md');
  await expect.poll(note).toContain('status: blocked\n');
  for (let press = 0; press < 3; press++) await page.keyboard.press('Shift+ArrowLeft');
  for (let press = 0; press < 3; press++) await page.keyboard.press('Shift+ArrowRight');
  await expect(column('Completed').getByRole('button', { name: /T-001/ })).toBeFocused();
  await expect.poll(note).toContain('status: completed\n');
  await expect(page.getByRole('alert')).toHaveCount(0);
});

test('a note that another program moves is followed, and the person is told where to', async ({ app }) => {
  const { page } = app;
  await page.getByRole('treeitem', { name: 'Weekly', exact: true }).click();
  const note = page.getByRole('region', { name: 'Weekly.md' });
  await expect(note.getByText('First T-001')).toBeVisible();
  await rename(join(app.vault, 'Weekly.md'), join(app.vault, 'Projects', 'Weekly plan.md'));
  await expect(page.getByText('It is at “Projects/Weekly plan.md” now')).toBeVisible();
  await expect(page.getByRole('tab', { name: /Weekly plan/ })).toBeVisible();
});

test.describe('a project of one task', () => {
  test.use({ notes: { 'Projects/tasks/T-001 Dig.md': entity('T-001', 'Dig', 'status: not_started') } });

  test('is on the canvas that is made of it', async ({ app: { page } }) => {
    await page.getByRole('navigation').getByRole('button', { name: 'Projects', exact: true }).click();
    await page.getByRole('radio', { name: 'Canvas' }).click();
    await page.getByRole('button', { name: 'Make a canvas of the project' }).click();
    await expect(page.getByRole('group', { name: /Task T-001 Dig/ })).toBeVisible();
  });
});

const rewrite = async (vault: string, path: string, from: string, to: string) => {
  const file = join(vault, path);
  await writeFile(file, (await readFile(file, 'utf8')).replace(from, to));
};

test('what was changed while a card or a list is held came first, and is not overwritten', async ({
  app,
}) => {
  const { page } = app;
  const dig = 'Projects/tasks/T-001 Dig.md';
  await page.getByRole('navigation').getByRole('button', { name: 'Projects', exact: true }).click();
  await page.getByRole('radio', { name: 'Board' }).click();
  const column = (name: string) => page.getByRole('region', { name: new RegExp(`^${name}`) });
  const card = (name: string, id: string) => column(name).getByRole('button', { name: new RegExp(id) });
  const middle = async (name: string) => {
    const { x, y, width, height } = (await column(name).boundingBox())!;
    return [x + width / 2, y + height / 2] as const;
  };

  await card('Not started', 'T-001').hover();
  await page.mouse.down();
  await page.mouse.move(...(await middle('Blocked')), { steps: 5 });
  await rewrite(app.vault, dig, 'status: not_started', 'status: completed');
  await expect(card('Completed', 'T-001')).toBeVisible();
  await page.mouse.move(...(await middle('In progress')), { steps: 5 });
  await page.mouse.up();
  const alert = page.getByRole('alert');
  await expect(alert).toContainText('T-001');
  await expect(alert).toContainText('Status: it is Completed by now, was Not started; yours: In progress');
  await expect(alert).not.toContainText('revision');
  expect(await app.readNote(dig)).toContain('status: completed\n');
  await page.getByRole('button', { name: 'Dismiss' }).click();

  await card('Blocked', 'T-002').click();
  const details = page.getByRole('complementary', { name: 'Details: T-002' });
  const priority = details.getByRole('combobox', { name: 'Priority' });
  await priority.press('Enter');
  await rewrite(app.vault, 'Projects/tasks/T-002 Sow.md', 'status:', 'priority: high\nstatus:');
  // An open list hides the rest from roles.
  await expect(page.locator('.entity-fields .ui-select', { hasText: 'High' })).toBeAttached();
  await page.getByRole('option', { name: 'Critical' }).click();
  await expect(details).toContainText(/Priority: it is High by now/);
  expect(await app.readNote('Projects/tasks/T-002 Sow.md')).toContain('priority: high\n');
});
