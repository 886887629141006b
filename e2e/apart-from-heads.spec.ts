import type { Page } from '@playwright/test';
import { expect, test } from './support/fixtures';

const talk = '#User : my question\n\n#Demo : The words.\n\n#User : and now?\n';
const block = '```vault\ntool: list_files\nglob: "Tour.md"\n```';
const byHand = `#User : by hand\n\n${block}\n\`\`\`result ok ms=5\nTour.md\n\`\`\`\n\n#User : last\n`;

const call = [
  '> [!tool]- vault · list_files · 5 ms',
  '> ```vault',
  '> tool: list_files',
  '> glob: "Tour.md"',
  '> ```',
  '> ```result ok ms=5 at=2026-11-21T10:00:00Z turn=1',
  '> Tour.md',
  '> ```',
].join('\n');

test.use({
  notes: {
    ...Object.fromEntries(
      ['typed', 'put', 'composed', 'composed without a key', 'first', 'deleted'].map((n) => [
        `${n}.md`,
        talk,
      ]),
    ),
    ...Object.fromEntries(['head', 'end', 'result end'].map((n) => [`${n}.md`, byHand])),
    'Cut.md': `#User : ask\n\n#Demo : Look.\n\n${call}\n\nDone.\n\n#User : \n`,
    'Inside.md': '#User : hi\n\nNote: #Demo : The words.\n',
  },
});

/** The line that shows these words, and below it as many pixels; left of where its text begins. */
async function clickLeftOf(page: Page, words: string, below = 0): Promise<void> {
  const box = (await page.locator('.note .cm-line').filter({ hasText: words }).first().boundingBox())!;
  await page.mouse.click(box.x - 9, box.y + box.height / 2 + (below > 0 ? box.height / 2 + below : below));
}

/** As an input method does: with a key that tells nothing of the letters, or with none. */
async function compose(page: Page, words: string, withKey: boolean): Promise<void> {
  const client = await page.context().newCDPSession(page);
  if (withKey)
    await client.send('Input.dispatchKeyEvent', {
      type: 'rawKeyDown',
      key: 'Process',
      windowsVirtualKeyCode: 229,
    });
  for (let length = 1; length <= words.length; length++)
    await client.send('Input.imeSetComposition', {
      text: words.slice(0, length),
      selectionStart: length,
      selectionEnd: length,
    });
  await client.send('Input.insertText', { text: words });
}

const ways: Record<string, (page: Page) => Promise<void>> = {
  typed: (page) => page.keyboard.type('Groceries'),
  put: (page) => page.keyboard.insertText('Groceries'),
  composed: (page) => compose(page, 'Groceries', true),
  'composed without a key': (page) => compose(page, 'Groceries', false),
};

for (const [way, write] of Object.entries(ways))
  test(`what is ${way} left of a speaker stands above the turn`, async ({ app }) => {
    await app.openNote(way);
    await clickLeftOf(app.page, 'The words.');
    await write(app.page);
    await expect.poll(() => app.readNote(`${way}.md`)).toBe(talk.replace('#Demo', 'Groceries\n#Demo'));
    await app.page.keyboard.press('ControlOrMeta+z');
    await expect.poll(() => app.readNote(`${way}.md`)).toBe(talk);
  });

test('what is typed in the blank above the first line stands above it', async ({ app }) => {
  await app.openNote('first');
  await clickLeftOf(app.page, 'my question', -20);
  await app.page.keyboard.type('Heading');
  await expect.poll(() => app.readNote('first.md')).toBe(`Heading\n${talk}`);
});

test('no turn is joined to the words above it by deleting line breaks', async ({ app }) => {
  const { page } = app;
  await app.openNote('deleted');
  await clickLeftOf(page, 'and now?');
  await page.keyboard.press('Backspace');
  await page.keyboard.press('Backspace');
  await page.keyboard.press('Delete');
  await page.keyboard.type('!');
  await expect.poll(() => app.readNote('deleted.md')).toBe(talk.replace('words.\n', 'words.!'));
});

const rows = [
  { name: 'head', words: 'by hand', below: 36, becomes: byHand.replace('```vault', 'My remark\n```vault') },
  { name: 'end', words: 'glob', below: 10, becomes: byHand.replace(block, `${block}\nMy remark`) },
  {
    name: 'result end',
    words: /^Tour\.md/.source,
    below: 10,
    becomes: byHand.replace('Tour.md\n```\n', 'Tour.md\n```\nMy remark\n'),
  },
];

for (const { name, words, below, becomes } of rows)
  test(`what is typed left of a line of a fence stands beside the block: ${name}`, async ({ app }) => {
    const { page } = app;
    await app.openNote(name);
    const line = page
      .locator('.note .cm-line')
      .filter({ hasText: new RegExp(words) })
      .first();
    const box = (await line.boundingBox())!;
    await page.mouse.click(box.x - 9, box.y + box.height + below);
    await page.keyboard.type('My remark');
    await expect.poll(() => app.readNote(`${name}.md`)).toBe(becomes);
  });

test('cut where nothing is selected takes no line that nobody sees', async ({ app }) => {
  const { page } = app;
  await app.openNote('Cut');
  const before = await app.readNote('Cut.md');
  const box = (await page.locator('.note .cm-card-place').first().boundingBox())!;
  await page.mouse.click(box.x - 9, box.y + 3);
  await page.keyboard.press('ControlOrMeta+x');
  await page.mouse.click(box.x - 9, box.y + box.height - 2);
  await page.keyboard.press('ControlOrMeta+x');
  await expect(page.locator('.note .cm-card-place')).toHaveCount(1);
  await clickLeftOf(page, 'Done.');
  await page.keyboard.press('ControlOrMeta+x');
  await expect.poll(() => app.readNote('Cut.md')).toBe(before.replace('Done.\n', ''));
});

test('a tag further inside a line is shown as the speaker that it is', async ({ app }) => {
  await app.openNote('Inside');
  await expect(app.page.locator('.note .cm-speaker-assistant')).toHaveText('Demo');
  await expect(app.page.locator('.note .cm-content')).toContainText('Note:');
});
