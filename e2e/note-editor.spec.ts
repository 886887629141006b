import { mkdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { printFailure } from '../src/markdown';
import { bench, benchName, blockOf } from './support/bench';
import { demoQuick, expect, test } from './support/fixtures';

const refused = printFailure('No answer', 'Too many requests.', '', {
  ...{ kind: 'rate-limit', provider: 'demo', model: 'demo' },
  retryAt: Date.now() + 3_600_000,
});
const square =
  '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"><rect width="40" height="40"/></svg>';
const task = '---\nid: T-001\ntype: task\ntitle: Moved\n---\n\n';

test.use({
  settings: { ...demoQuick, tools: { approval: 'allow' } },
  servers: bench,
  notes: {
    'Story.md': '#User : Tell me a long story\n',
    'Answered.md': '#User : Hi\n\n#Demo : Hello.\n\n#User : \n',
    'Open.md': `${blockOf('look', 'x').slice(0, -4)}\n\nWords below.\n`,
    'Leads.md': '[away](Nowhere.md), [[Story]], ![[Broken.png]]\n\nBelow.\n',
    'Broken.png': 'No picture.',
    'trips/Pictured.md':
      '![[in Rome.svg|300]] ![](../Tower.svg) ![[TOWER.svg]] ![[attachments/in Rome.svg]]\n\nBelow.\n',
    'attachments/in Rome.svg': square,
    'Tower.svg': square,
    'Moved.md': `${task}Begin\n`,
    'Sea.md': '# Sea\n\nShips, storms and harbours.\n',
    'Refused.md': `${blockOf('wait', 'long')}\n\n#User : Hi\n\n#Demo : \n\n${refused}\n`,
    'Ends.md': `#User : Hi\n\n#Demo : One line.\n\n- [ ] a task\n\n${blockOf('wait', 'long')}\n\n| a | b |\n| - | - |\n| c | d |\n\n#Demo :`,
    'Json.md': `\`\`\`${benchName}\n{"tool": "look", "word": "x"} # json\n\`\`\`\n\n${blockOf('look', 'y')}\n`,
    'Waits.md': `${blockOf('wait', 'long')}\n\nBelow.\n`,
  },
});

test('an answer is stopped by Escape wherever the focus is, but not while something is closed by it', async ({
  app,
}) => {
  const { page } = app;
  await app.openNote('Story');
  await page.getByText('Tell me a long story').click();
  await page.keyboard.press('End');
  await page.keyboard.press('ControlOrMeta+Enter');
  const stop = page.locator('.note-bar').getByRole('button', { name: /^Stop/ });
  await expect(stop).toBeVisible();
  await page.keyboard.press('ControlOrMeta+p');
  await expect(page.getByRole('dialog')).toBeVisible();
  await expect(page.getByRole('option', { name: /Stop the answer/ })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(stop).toBeVisible();
  await page.getByRole('tree').focus();
  await page.keyboard.press('Escape');
  await expect(stop).toBeHidden();
});

test('the find panel lies below the palette, answers offer everything at once, and a change of language takes nothing down', async ({
  app,
}) => {
  const { page } = app;
  await app.openNote('Answered');
  const actions = page.getByRole('toolbar', { name: 'What to do with this answer' });
  await expect(actions.locator('button')).toHaveCount(6);
  await page.getByText('Hello.').click();
  await page.keyboard.insertText('typed ');
  await page.keyboard.press('ControlOrMeta+f');
  await expect(page.locator('.cm-search')).toBeVisible();
  await page.keyboard.press('ControlOrMeta+p');
  const palette = page.getByRole('dialog');
  await expect(palette).toBeVisible();
  const isOver = await palette.evaluate((dialog) => {
    const { left, top, width } = dialog.getBoundingClientRect();
    return dialog.contains(document.elementFromPoint(left + width / 2, top + 20));
  });
  expect(isOver).toBe(true);
  await page.keyboard.press('Escape');
  await page.keyboard.press('ControlOrMeta+,');
  await page.getByRole('radio', { name: '中文' }).click();
  await expect(page.locator('html')).toHaveAttribute('lang', 'zh-CN');
  await page.keyboard.press('Escape');
  await expect(page.locator('.note-bar').getByRole('button', { name: /^回答/ })).toBeVisible();
  await page.locator('.cm-content').focus();
  await page.keyboard.press('ControlOrMeta+z');
  await expect.poll(() => app.readNote('Answered.md')).not.toContain('typed');
});

test('a block without its end is closed, not run; one that runs is stopped on its card', async ({ app }) => {
  const { page } = app;
  await app.openNote('Open');
  await expect(page.getByTitle('Run this tool call')).toHaveCount(0);
  await page.getByRole('button', { name: 'Close block' }).click();
  await expect.poll(() => app.readNote('Open.md')).toBe(`${blockOf('look', 'x')}\n\nWords below.\n`);
  await page.getByTitle('Run this tool call').click();
  await expect.poll(() => app.readNote('Open.md')).toMatch(/found x[\s\S]+\n\nWords below\.\n$/);

  await app.openNote('Waits');
  await page.getByTitle('Run this tool call').click();
  await expect(page.locator('.cm-call-running')).toContainText(benchName);
  const stop = page.getByTitle('Stop this call');
  await stop.focus();
  const counted = page.locator('.cm-call-running .cm-card-facts');
  const before = (await counted.textContent()) ?? '';
  await expect(counted).not.toHaveText(before, { timeout: 20_000 });
  await expect(stop).toBeFocused();
  await page.keyboard.press('Enter');
  await expect.poll(() => app.readNote('Waits.md')).toMatch(/result cancelled[\s\S]+\n\nBelow\.\n$/);
});

test('Run is offered where there is a call to run', async ({ app }) => {
  const { page } = app;
  await app.openNote('Json');
  await expect(page.locator('.cm-line', { hasText: '# json' })).toBeVisible();
  await page.getByTitle('Run this tool call').click();
  await expect.poll(() => app.readNote('Json.md')).toContain('found y');
});

test('a note that is moved by others while it is typed in goes on being typed in, and undone', async ({
  app,
}) => {
  const { page } = app;
  await app.openNote('Moved');
  await page.locator('.cm-line', { hasText: 'Begin' }).click();
  await page.keyboard.press('End');
  const moves = [
    ['Moved.md', 'Deep/Moved.md'],
    ['Deep/Moved.md', 'Renamed.md'],
  ] as const;
  await mkdir(join(app.vault, 'Deep'));
  let typed = '';
  const type = async (words: string) => {
    typed += words;
    await page.keyboard.type(words);
  };
  await type(' before');
  for (const [from, to] of moves) {
    await expect.poll(() => app.readNote(from), { timeout: 20_000 }).toContain(typed);
    await rename(join(app.vault, from), join(app.vault, to));
    for (let word = 0; !(await page.getByRole('region', { name: to, exact: true }).isVisible()); word++) {
      expect(word, 'the editor follows the note').toBeLessThan(300);
      await type(` w${word}`);
    }
    await type(' after');
  }
  await expect.poll(() => app.readNote('Renamed.md'), { timeout: 20_000 }).toContain(`Begin${typed}\n`);
  await expect(page.locator('.cm-content')).toBeFocused();
  await expect(page.getByRole('tab', { name: 'Renamed' })).toHaveAttribute('aria-selected', 'true');
  const text = page.locator('.cm-line', { hasText: 'Begin' });
  for (let pressed = 0; pressed < 100 && (await text.textContent()) !== 'Begin'; pressed++)
    await page.keyboard.press('ControlOrMeta+z');
  await expect(text).toHaveText('Begin');
  await expect.poll(() => app.readNote('Renamed.md'), { timeout: 20_000 }).toContain('\n\nBegin\n');
});

test('a note that another program moves over the open one is shown there and written in, and undo stays within it', async ({
  app,
}) => {
  const { page } = app;
  await expect(page.getByRole('treeitem', { name: 'Sea' })).toBeVisible({ timeout: 20_000 });
  await app.openNote('Moved');
  await page.locator('.cm-line', { hasText: 'Begin' }).click();
  await page.keyboard.press('End');
  await page.keyboard.type(' typed');
  await expect.poll(() => app.readNote('Moved.md'), { timeout: 20_000 }).toContain('Begin typed\n');
  await rename(join(app.vault, 'Sea.md'), join(app.vault, 'Moved.md'));
  const region = page.getByRole('region', { name: 'Moved.md' });
  await expect(region).toContainText('Ships, storms', { timeout: 20_000 });
  await expect(region).not.toContainText('Begin');
  await page.locator('.cm-line', { hasText: 'Ships' }).click();
  await page.keyboard.press('End');
  await page.keyboard.type(' More.');
  await expect
    .poll(() => app.readNote('Moved.md'), { timeout: 20_000 })
    .toBe('# Sea\n\nShips, storms and harbours. More.\n');
  for (let pressed = 0; pressed < 5; pressed++) await page.keyboard.press('ControlOrMeta+z');
  await expect(region).not.toContainText('Begin');
  await expect
    .poll(() => app.readNote('Moved.md'), { timeout: 20_000 })
    .toBe('# Sea\n\nShips, storms and harbours.\n');
});

test('a note made in the tree is named and then written in; another name gives the focus back to the tree', async ({
  app,
}) => {
  const { page } = app;
  const tree = page.getByRole('tree');
  await page.getByTestId('left').getByRole('button', { name: 'New note' }).click();
  await expect(page.getByRole('textbox', { name: /^New name/ })).toBeFocused({ timeout: 20_000 });
  await page.keyboard.type('Fresh');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('region', { name: 'Fresh.md' }).locator('.cm-content')).toBeFocused({
    timeout: 20_000,
  });
  await page.keyboard.type('Written at once.');
  await expect.poll(() => app.readNote('Fresh.md'), { timeout: 20_000 }).toBe('Written at once.');

  await page.getByRole('treeitem', { name: 'Fresh' }).click();
  const name = page.getByRole('textbox', { name: /^New name/ });
  await page.keyboard.press('F2');
  await expect(name).toBeFocused();
  await page.keyboard.type('Renamed');
  await page.keyboard.press('Enter');
  await expect(name).toHaveCount(0);
  await expect(page.getByRole('treeitem', { name: 'Renamed' })).toBeVisible({ timeout: 20_000 });
  await expect(tree).toBeFocused({ timeout: 20_000 });
  await page.keyboard.press('F2');
  await expect(name).toBeFocused();
  await page.keyboard.type('Never');
  await page.keyboard.press('Escape');
  await expect(tree).toBeFocused();
  await expect(page.getByRole('treeitem', { name: 'Renamed' })).toBeVisible();
});

test('a link to a note that is not there leads to its making; a name that is refused says so until it is dismissed', async ({
  app,
}) => {
  const { page } = app;
  await app.openNote('Leads');
  const link = page.locator('.cm-link', { hasText: 'away' });
  const here = page.locator('.cm-link', { hasText: 'Story' });
  await expect(link).toHaveClass(/cm-link-missing/);
  await expect(here).not.toHaveClass(/cm-link-missing/);
  await expect(page.getByText('“Broken.png” cannot be shown')).toBeVisible();
  await link.click({ modifiers: ['ControlOrMeta'] });
  const made = page.getByRole('region', { name: 'Nowhere.md' });
  await made.getByRole('button', { name: 'Create' }).click({ timeout: 20_000 });
  await expect(made.locator('.cm-content')).toBeFocused({ timeout: 20_000 });
  await page.keyboard.type('Somewhere.');
  await expect.poll(() => app.readNote('Nowhere.md'), { timeout: 20_000 }).toBe('Somewhere.');
  await page.getByRole('tab', { name: 'Leads' }).click();
  await expect(here).toBeVisible();
  await expect(link).not.toHaveClass(/cm-link-missing/);

  await page.getByRole('treeitem', { name: 'Nowhere' }).click();
  await page.keyboard.press('F2');
  await expect(page.getByRole('textbox', { name: /^New name/ })).toBeFocused();
  await page.keyboard.type('Story');
  await page.keyboard.press('Enter');
  const files = page.getByTestId('left');
  await expect(files.getByRole('alert')).toBeVisible({ timeout: 20_000 });
  await files.getByRole('button', { name: 'Dismiss' }).click();
  await expect(files.getByRole('alert')).toBeHidden();
  await expect(page.getByRole('treeitem', { name: 'Nowhere' })).toBeVisible();
});

test('a picture that is embedded by its name is drawn, in the width that stands behind it', async ({
  app,
}) => {
  const { page } = app;
  await page.getByRole('treeitem', { name: 'trips' }).click();
  await app.openNote('Pictured');
  await page.getByText('Below.').click();
  const pictures = page.locator('.cm-picture img');
  await expect(pictures).toHaveCount(4);
  for (const picture of await pictures.all())
    await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(40);
  expect((await pictures.first().boundingBox())?.width).toBe(300);
});

test('while the core is gone no card counts on: a running call and a waiting retry say so', async ({
  app,
}) => {
  const { page } = app;
  await app.openNote('Refused');
  const retry = page.locator('.cm-retry-time');
  await expect(retry).toContainText('You can retry in');
  await page.keyboard.press('ControlOrMeta+Home');
  await page.getByTitle('Run this tool call').click();
  const facts = page.locator('.cm-call-live .cm-card-facts');
  await expect(facts).toContainText(/\d s/);
  await app.kill();
  await expect(facts).toHaveText('Not connected');
  await expect(retry).toHaveText('Not connected');
  await expect(page.getByTitle('Stop this call')).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Retry when possible' })).toBeDisabled();
  await app.restart();
  await expect(retry).toContainText('You can retry in');
  await expect(page.getByRole('button', { name: 'Retry when possible' })).toBeEnabled();
});

test('while the core is gone nothing claims that the note is saved', async ({ app }) => {
  const { page } = app;
  await app.openNote('Answered');
  const saved = page.locator('.note-save');
  await expect(saved).toHaveText('Saved', { timeout: 20_000 });
  await app.kill();
  await expect(saved).toHaveText('Not connected', { timeout: 20_000 });
  await app.restart();
  await expect(saved).toHaveText('Saved', { timeout: 40_000 });
});

test.describe('a call whose arguments cannot be read', () => {
  test.use({
    notes: {
      'Bad.md':
        '#User : hi\n\n#Local : Look.\n\n> [!tool]- memory · find · 3 ms\n> ```memory\n> tool: find\n> just words\n> ```\n> ```result ok ms=3\n> old\n> ```\n\nEnd\n',
    },
  });

  test('shows no success on its card', async ({ app }) => {
    await app.openNote('Bad');
    const card = app.page.locator('.cm-call');
    await expect(card).toHaveClass(/cm-call-error/, { timeout: 20_000 });
    await expect(card).toContainText('its arguments cannot be read');
  });
});

test('the cursor stands behind the last letter of a line, whatever hangs beside it', async ({ app }) => {
  const { page } = app;
  await app.openNote('Ends');
  await expect(page.getByText('One line.')).toBeVisible();
  await page.getByText('One line.').click();
  const off = () =>
    page.evaluate(() => {
      const cursor = document.querySelector('.cm-cursor-primary')?.getBoundingClientRect();
      const focus = document.getSelection()?.focusNode;
      const active = (focus instanceof Element ? focus : focus?.parentElement)?.closest('.cm-line');
      if (!cursor || !active) return 'no cursor or line';
      const texts = document.createTreeWalker(active, NodeFilter.SHOW_TEXT);
      let last: Node | null = null;
      while (texts.nextNode())
        if (!texts.currentNode.parentElement?.closest('[contenteditable=false]')) last = texts.currentNode;
      if (!last) return 'ok';
      const range = document.createRange();
      range.selectNodeContents(last);
      const text = [...range.getClientRects()].at(-1);
      if (!text) return 'ok';
      const isBeside =
        Math.abs(cursor.left - text.right) <= 3 && cursor.top < text.bottom && cursor.bottom > text.top;
      return isBeside ? 'ok' : `${cursor.left},${cursor.top} instead of ${text.right},${text.top}`;
    });
  const beside = async (message: string) => await expect.poll(off, { message }).toBe('ok');
  await page.keyboard.press('ControlOrMeta+End');
  await beside('the end of the note');
  await page.keyboard.press('ControlOrMeta+Home');
  const lines = (await app.readNote('Ends.md')).split('\n');
  for (const line of lines) {
    await page.keyboard.press('End');
    await beside(line);
    await page.keyboard.type('x');
    await beside(`${line}x`);
    await page.keyboard.press('Backspace');
    await beside(line);
    await page.keyboard.press('ArrowDown');
  }
});
