import type { Page } from '@playwright/test';
import { type AppUnderTest, expect, test } from './support/fixtures';

const tool =
  '> [!tool]- vault · list_files · 3 ms\n> ```vault\n> tool: list_files\n> ```\n> ```result ok ms=3\n> Ideas.md\n> ```';
const failure = '> [!failure]- No answer\n> The provider said no.\n> Ask again.';
const thought = '> [!thinking]- 3 s\n> Let me see.\n> Yes.';
const cards = { tool, failure, thought };

const between = (card: string) => `#User : Some words.\n\n${card}\n\nThe last words`;
const beforeQuote = (card: string) => `#User : Some words.\n\n${card}\n\n> a quote of mine\n`;
const rows = Object.entries(cards);

test.use({
  notes: {
    'Words.md': 'copied',
    'Block.md': 'Some words.\n\n```vault\ntool: list_files\n```',
    ...Object.fromEntries(
      rows.flatMap(([name, card]) => [
        ...['above', 'below', 'beside', 'inside'].map((where) => [`${name} ${where}.md`, between(card)]),
        [`${name} alone.md`, card],
        [`${name} quote.md`, beforeQuote(card)],
        [`${name} text.md`, `${card}\n\nwords of mine\n`],
        [`${name} deleted.md`, card],
      ]),
    ),
  },
});

const editor = (page: Page) => page.locator('.note .cm-content');

async function open({ app, note }: { app: AppUnderTest; note: string }) {
  await app.openNote(note);
  await editor(app.page).click();
  await app.page.keyboard.press('ControlOrMeta+End');
}

for (const [name, card] of rows) {
  test(`what is typed after a click beside a card is beside it: ${name}`, async ({ app }) => {
    const { page } = app;
    for (const where of ['above', 'below', 'beside', 'inside'])
      await test.step(where, async () => {
        const note = `${name} ${where}`;
        await open({ app, note });
        const place = page.locator('.cm-card-place');
        const box = (await place.boundingBox())!;
        const x = box.x + (where === 'beside' ? 3 : where === 'inside' ? box.width - 140 : box.width / 2);
        const y = { above: box.y + 1, below: box.y + box.height - 1 }[where] ?? box.y + box.height / 2 + 2;
        await page.mouse.click(x, y);
        await page.keyboard.type('typed');
        const isToggled = where === 'inside' && name !== 'failure';
        const isAbove = where === 'above';
        const becomes = isToggled
          ? `${between(card)}typed`
          : between(card).replace(card, isAbove ? `typed\n\n${card}` : `${card}\n\ntyped`);
        await expect.poll(() => app.readNote(`${note}.md`)).toBe(becomes);
      });
  });

  test(`what is pasted or typed where a card is all of its note is beside it: ${name}`, async ({ app }) => {
    const { page } = app;
    await open({ app, note: 'Words' });
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.press('ControlOrMeta+c');
    await open({ app, note: `${name} alone` });
    await page.keyboard.press('ControlOrMeta+v');
    await expect.poll(() => app.readNote(`${name} alone.md`)).toBe(`${card}\n\ncopied`);
    await page.keyboard.press('ControlOrMeta+Home');
    await page.keyboard.press('ControlOrMeta+v');
    await expect.poll(() => app.readNote(`${name} alone.md`)).toBe(`copied\n\n${card}\n\ncopied`);
  });

  test(`no text comes into a card by deleting what is between: ${name}`, async ({ app }) => {
    const { page } = app;
    const quote = `${name} quote.md`;
    await open({ app, note: `${name} quote` });
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowUp');
    for (let times = 0; times < 3; times++) await page.keyboard.press('Delete');
    await page.keyboard.press('End');
    await page.keyboard.type('!');
    await expect.poll(() => app.readNote(quote)).toContain(`${card}\n\n`);
    await expect.poll(() => app.readNote(quote)).toContain('!');
    const text = `${name} text.md`;
    await open({ app, note: `${name} text` });
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Home');
    for (let times = 0; times < 2; times++) await page.keyboard.press('Backspace');
    await page.keyboard.type('The ');
    await expect.poll(() => app.readNote(text)).toMatch(/\n\n?The words of mine\n$/);
    expect((await app.readNote(text)).startsWith(`${card}\n`)).toBe(true);
  });

  test(`a card that is all of its note can be deleted and brought back: ${name}`, async ({ app }) => {
    const { page } = app;
    const faults: string[] = [];
    page.on('console', (message) => void (message.type() === 'error' && faults.push(message.text())));
    await open({ app, note: `${name} deleted` });
    await page.keyboard.press('Backspace');
    await expect.poll(() => app.readNote(`${name} deleted.md`)).toBe('');
    await page.keyboard.press('ControlOrMeta+z');
    await expect.poll(() => app.readNote(`${name} deleted.md`)).toBe(card);
    expect(faults).toEqual([]);
  });
}

test('what is typed behind the line that closes a block stands below it', async ({ app }) => {
  await open({ app, note: 'Block' });
  await app.page.keyboard.type('Below.');
  await expect
    .poll(() => app.readNote('Block.md'))
    .toBe('Some words.\n\n```vault\ntool: list_files\n```\nBelow.');
});
