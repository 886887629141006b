import { bench, benchTool, callsMade } from './support/bench';
import { calling, expect, spoken, test } from './support/provider';

const instructions = Array.from({ length: 80 }, (_, line) => `Instruction ${line}.`);
const tools = `["*", "${'long/'.repeat(60)}"]`;
const agent = ['---', 'approval: allow', `tools: ${tools}`, '---', ...instructions].join('\n');

test.use({
  servers: bench,
  notes: {
    'Plan.md': '#User : p\n\n#Bold : a\n\n#User : Look it up. <https://garden.example/beds>\n',
    '.interlinear/agents/Bold.md': agent,
  },
});

test('what a note lets run is shown whole, also to the keyboard, and runs unasked once it is agreed to', async ({
  app,
  provider,
}) => {
  const { page } = app;
  const rounds = () => [
    { body: calling([benchTool('look'), { word: 'asked' }]) },
    { body: spoken('Looked.') },
  ];
  const trust = page.getByRole('button', { name: /^(Trust this folder|Agree to this)$/ });
  await trust.click();
  await expect(trust).toHaveCount(0);
  await app.openNote('Plan');
  await page.getByText('Look it up').click();
  provider.answer(...rounds());
  await page.keyboard.press('ControlOrMeta+Enter');
  const list = page.getByRole('region', { name: 'What the note wants' });
  await expect(list).toContainText('agent: Bold');
  for (const line of instructions) await expect(list).toContainText(line);
  await expect(list).toContainText('long/'.repeat(60));
  await expect(list).not.toContainText('…');

  await app.decide('look', 'Alt+n');
  await expect(page.locator('.cm-content')).toContainText('Looked.');
  expect(callsMade()).toEqual([]);

  await list.focus();
  await page.keyboard.press('End');
  await expect(list.getByText('Instruction 79.')).toBeInViewport();
  await page.getByRole('button', { name: 'Agree for this note' }).focus();
  await page.keyboard.press('Enter');
  await expect(list).toHaveCount(0);

  provider.answer(...rounds());
  await page.getByRole('button', { name: 'Write it anew' }).last().click();
  await expect.poll(callsMade).toEqual(['look asked']);
  await expect(page.getByRole('region', { name: 'What the note wants' })).toHaveCount(0);
});

test('where a link of a note leads is shown before it is opened', async ({ app }) => {
  const { page } = app;
  await app.openNote('Plan');
  await page.locator('.cm-link').click({ modifiers: ['ControlOrMeta'] });
  const asked = page.getByRole('alertdialog', { name: 'Open this address in your browser?' });
  await expect(asked).toContainText('https://garden.example/beds');
  await asked.getByRole('button', { name: 'Cancel' }).click();
  await expect(asked).toHaveCount(0);
});

test('a key pressed as a question comes does not answer it with yes', async ({ app, provider }) => {
  const { page } = app;
  await app.openNote('Plan');
  await page.getByText('Look it up').click();
  provider.answer({ body: calling([benchTool('look'), { word: 'early' }]) }, { body: spoken('Refused.') });
  // Held down from before the question on, for as long as its keys are not armed.
  await page.evaluate(() => {
    const press = () => {
      const card = document.querySelector<HTMLElement>('.approval');
      if (card?.dataset.armed === 'true') return;
      window.dispatchEvent(
        new KeyboardEvent('keydown', { key: 'y', code: 'KeyY', altKey: true, bubbles: true }),
      );
      document.activeElement?.dispatchEvent(
        new KeyboardEvent('keydown', { key: 'y', code: 'KeyY', altKey: true, bubbles: true }),
      );
      if (card) document.body.dataset.early = 'pressed';
      requestAnimationFrame(press);
    };
    press();
  });
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect(page.locator('.approval[data-armed="true"]').first()).toBeVisible();
  await expect(page.locator('body')).toHaveAttribute('data-early', 'pressed');
  expect(callsMade()).not.toContain('look early');
  await app.decide('look', 'Alt+y');
  await expect.poll(callsMade).toContain('look early');
});
