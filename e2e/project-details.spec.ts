import { demoAtOnce, expect, test } from './support/fixtures';

const entity = (id: string, title: string, more: string) =>
  `---\nid: ${id}\ntitle: ${title}\nworkstream: garden\n${more}\n---\n\nWords about it.\n`;
const dig = 'Projects/tasks/T-001 Dig.md';
const long = 'Projects/tasks/T-002 A task with a name that is quite a lot longer than its column is wide.md';

test.use({
  settings: demoAtOnce,
  notes: {
    [dig]: entity('T-001', 'Dig the beds', 'status: not_started\nassignee: Ada\ngoal: Deep beds'),
    [long]: entity('T-002', 'Long', 'status: In Progres'),
    ...Object.fromEntries(
      Array.from({ length: 40 }, (_, at) => [
        `Projects/documents/DOC-${String(at + 1).padStart(3, '0')} Doc.md`,
        entity(`DOC-${String(at + 1).padStart(3, '0')}`, `Doc ${at}`, 'status: draft'),
      ]),
    ),
  },
});

test('what is typed in the details stays while another program changes the field, and both are offered', async ({
  app,
}) => {
  const { page } = app;
  await page.getByRole('navigation').getByRole('button', { name: 'Projects', exact: true }).click();
  const documents = page.locator('.totals-name', { hasText: 'Documents' });
  await expect(documents.locator('strong')).toHaveText('40');
  await page.getByRole('radio', { name: 'Board' }).click();
  await page.getByRole('button', { name: /T-001/ }).press('Enter');
  const details = page.getByRole('complementary', { name: 'Details: T-001' });
  const assignee = details.getByRole('textbox', { name: 'Assignee' });
  const goal = details.getByRole('textbox', { name: 'Goal' });

  await assignee.fill('Bo, whom I have just typed');
  const before = await app.readNote(dig);
  await app.writeNote(dig, before.replace('assignee: Ada', 'assignee: Cy').replace('Deep', 'Flat'));
  await expect(details.getByText('Changed meanwhile to “Cy”')).toBeVisible({ timeout: 20_000 });
  await expect(goal).toHaveValue('Flat beds');
  await expect(assignee).toHaveValue('Bo, whom I have just typed');
  await goal.focus();
  await expect(assignee).toHaveValue('Bo, whom I have just typed');
  expect(await app.readNote(dig)).toContain('assignee: Cy\n');

  await details.getByRole('button', { name: 'Close' }).click();
  await expect(details).toBeHidden();
  await page.getByRole('button', { name: /T-001/ }).press('Enter');
  await expect(assignee).toHaveValue('Bo, whom I have just typed');
  await details.getByRole('button', { name: 'Save mine' }).click();
  await expect
    .poll(() => app.readNote(dig), { timeout: 20_000 })
    .toMatch(/assignee: Bo, whom I have just typed\ngoal: Flat beds\n/);
  await expect(details.getByText('Changed meanwhile')).toBeHidden();

  await assignee.fill('Dee');
  await app.writeNote(dig, (await app.readNote(dig)).replace(/assignee: .*/, 'assignee: Eve'));
  await details.getByRole('button', { name: 'Take theirs' }).click({ timeout: 20_000 });
  await expect(assignee).toHaveValue('Eve');
  await goal.fill('Narrow beds');
  await goal.blur();
  await expect
    .poll(() => app.readNote(dig), { timeout: 20_000 })
    .toMatch(/assignee: Eve\ngoal: Narrow beds\n/);
});

test('a repair can be taken back after the page was left, and no panel lies over its buttons', async ({
  app,
}) => {
  const { page } = app;
  await page.setViewportSize({ width: 1000, height: 700 });
  await page.getByRole('navigation').getByRole('button', { name: 'Projects', exact: true }).click();
  await page.getByRole('radio', { name: 'Board' }).click();
  await page.getByRole('button', { name: /T-001/ }).press('Enter');
  await expect(page.getByRole('complementary', { name: 'Details: T-001' })).toBeVisible();
  await page.getByRole('radio', { name: 'Check' }).click();
  await page.getByRole('button', { name: /^Repair: Projects\/tasks\/T-002.*Status/ }).click();
  await expect(page.getByText('1 repaired')).toBeVisible({ timeout: 20_000 });
  await page.getByRole('radio', { name: 'Overview' }).click();
  await page.getByRole('radio', { name: 'Check' }).click();
  await expect(page.getByText(/The last repair: T-002/)).toBeVisible({ timeout: 20_000 });
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => app.readNote(long), { timeout: 20_000 }).toContain('status: In Progres\n');
  await expect(page.getByRole('button', { name: 'Undo' })).toBeHidden();
});

test('what is typed in the details stays readable when the note breaks or is deleted meanwhile', async ({
  app,
}) => {
  const { page } = app;
  const late = { timeout: 30_000 };
  await page.getByRole('navigation').getByRole('button', { name: 'Projects', exact: true }).click();
  await page.getByRole('radio', { name: 'Board' }).click(late);
  await page.getByRole('button', { name: /T-001/ }).press('Enter');
  const details = page.getByRole('complementary', { name: 'Details: T-001' });
  await details.getByRole('textbox', { name: 'Assignee' }).fill('Bo, typed just now', late);
  const before = await app.readNote(dig);
  await app.writeNote(dig, before.replace('title: Dig the beds', 'title: [Dig'));
  await expect(details.getByText('The note of T-001 cannot be read')).toBeVisible(late);
  await expect(details.getByText('Bo, typed just now')).toBeVisible(late);
  await expect(details.getByRole('button', { name: 'Copy' })).toBeVisible();

  await app.removeNote(dig);
  await expect(details.getByText('The note of T-001 is gone')).toBeVisible(late);
  await expect(details.getByText('Bo, typed just now')).toBeVisible(late);

  await app.writeNote(dig, before);
  await expect(details.getByRole('textbox', { name: 'Assignee' })).toHaveValue('Bo, typed just now', late);
  await details.getByRole('button', { name: 'Save mine' }).click(late);
  await expect.poll(() => app.readNote(dig), late).toContain('assignee: Bo, typed just now\n');
});

test('a field that holds a mapping shows it as it stands, until the note is mended', async ({ app }) => {
  const { page } = app;
  const late = { timeout: 20_000 };
  await page.getByRole('navigation').getByRole('button', { name: 'Projects', exact: true }).click(late);
  await page.getByRole('radio', { name: 'Board' }).click(late);
  await page.getByRole('button', { name: /T-001/ }).press('Enter', late);
  const details = page.getByRole('complementary', { name: 'Details: T-001' });
  const assignee = details.getByRole('textbox', { name: 'Assignee' });
  await expect(assignee).toHaveValue('Ada', late);
  const text = await app.readNote(dig);
  await app.writeNote(dig, text.replace('assignee: Ada', 'assignee: { name: Ada, team: 2 }'));
  await expect(details.getByText('{ name: Ada, team: 2 }')).toBeVisible(late);
  await expect(details.getByText('Can only be changed in the note.')).toBeVisible();
  await app.writeNote(dig, text);
  await expect(assignee).toHaveValue('Ada', late);
});
