import type { Page } from '@playwright/test';
import { expect, test } from './support/fixtures';

const late = { timeout: 30_000 };
const dig = 'Projects/tasks/T-001 Dig.md';

test.use({
  notes: {
    'Welcome.md': 'Hello.\n',
    [dig]: '---\nid: T-001\ntitle: Dig\nworkstream: garden\nstatus: not_started\nassignee: Ada\n---\n',
    'Projects/tasks/T-002 Sow.md':
      '---\nid: T-002\ntitle: Sow\nworkstream: garden\nstatus: not_started\nassignee: Cy\n---\n',
  },
});

const ready = (page: Page) => page.locator('.status-bar').waitFor(late);
const reload = async (page: Page) => {
  await page.reload();
  await ready(page);
};

async function openLimits(page: Page) {
  const settings = page.getByRole('dialog', { name: 'Settings' });
  if (!(await settings.isVisible())) await page.keyboard.press('ControlOrMeta+,');
  await settings.getByRole('button', { name: 'Tools & limits', exact: true }).click(late);
  return settings.getByLabel('Time limit of a call', { exact: true });
}

async function openDetails(page: Page, id: string) {
  const field = page
    .getByRole('complementary', { name: `Details: ${id}` })
    .getByRole('textbox', { name: 'Assignee' });
  if (!(await field.isVisible())) {
    const board = page.getByRole('radio', { name: 'Board' });
    if (!(await board.isVisible()))
      await page.getByRole('navigation').getByRole('button', { name: 'Projects', exact: true }).click(late);
    await board.click(late);
    await page.getByRole('button', { name: new RegExp(id) }).press('Enter', late);
  }
  await field.waitFor(late);
  return field;
}

/** Closed with what was typed in it, as a person closes a window. */
const closeWindow = (page: Page) => page.close({ runBeforeUnload: true });

test('what two windows type into one form of the settings stays with each, and what one leaves is offered to the next', async ({
  app,
}) => {
  const one = app.page;
  const other = await app.secondWindow();
  await ready(other);
  await (await openLimits(one)).fill('no number of one');
  await (await openLimits(other)).fill('no number of the other');

  await reload(one);
  await expect(await openLimits(one)).toHaveValue('no number of one', late);
  await other.getByRole('dialog').getByLabel('Time limit of a call', { exact: true }).fill('-2');
  await reload(other);
  await expect(await openLimits(other)).toHaveValue('-2', late);
  await other.getByRole('button', { name: 'Discard' }).click(late);
  await expect(await openLimits(other)).toHaveValue('30');
  await reload(one);
  await expect(await openLimits(one)).toHaveValue('no number of one', late);

  await closeWindow(other);
  const third = await app.secondWindow();
  await ready(third);
  await expect(await openLimits(third), 'what a living window holds is its own').toHaveValue('30', late);
  await (await openLimits(third)).fill('left behind');
  await one.getByRole('button', { name: 'Discard' }).click(late);
  await closeWindow(third);
  await expect.poll(() => third.isClosed(), late).toBe(true);
  await reload(one);
  await expect(await openLimits(one)).toHaveValue('left behind', late);
  await expect(one.getByText('Unsaved changes')).toBeVisible(late);
});

test('what is typed in the details of one entity outlives what another window types in them and in others', async ({
  app,
}) => {
  const one = app.page;
  const other = await app.secondWindow();
  await ready(other);
  await (await openDetails(one, 'T-001')).fill('Bo of one');
  await (await openDetails(other, 'T-002')).fill('Dee of the other');
  await reload(one);
  await expect(await openDetails(one, 'T-001')).toHaveValue('Bo of one', late);
  await expect(one.getByText('Unsaved changes')).toBeVisible(late);
  await reload(other);
  await expect(await openDetails(other, 'T-002')).toHaveValue('Dee of the other', late);

  await (await openDetails(other, 'T-002')).blur();
  await other.getByRole('button', { name: 'Close', exact: true }).first().click();
  await (await openDetails(other, 'T-001')).fill('Eve of the other');
  await (await openDetails(other, 'T-001')).blur();
  await expect.poll(() => app.readNote(dig), late).toContain('assignee: Eve of the other');
  await expect(one.getByText('Changed meanwhile to “Eve of the other”')).toBeVisible(late);
  await expect(await openDetails(one, 'T-001')).toHaveValue('Bo of one');
  await reload(one);
  await expect(await openDetails(one, 'T-001')).toHaveValue('Bo of one', late);
  await one.getByRole('button', { name: 'Save mine' }).click(late);
  await expect.poll(() => app.readNote(dig), late).toContain('assignee: Bo of one');
});
