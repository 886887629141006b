import type { AppUnderTest } from './support/fixtures';
import { expect, spoken, test } from './support/provider';

const typed = 'what is typed on';
const lines = Array.from({ length: 24 }, (_, number) => `line${number}()\n`);
const code = ['```js\n', ...lines, '```'];
const whole = code.join('');

test.use({
  notes: {
    'Alone.md': '#User : hello',
    'Turn below.md': '#User : hello\n\n#User : next',
  },
});

async function ask(app: AppUnderTest, name: string): Promise<void> {
  await app.openNote(name);
  await app.page.locator('.cm-line', { hasText: 'hello' }).click();
  await app.page.keyboard.press('End');
  await app.page.keyboard.press('ControlOrMeta+Enter');
  await expect(app.page.locator('.cm-content')).toContainText('line3()');
}

for (const delay of [0, 40]) {
  test(`what is typed at the end of a note that ends in code being written is the next turn (${delay} ms a key)`, async ({
    app,
    provider,
  }) => {
    provider.answer({ body: spoken(...code), pieces: 60, pauseMs: 80 });
    await ask(app, 'Alone');
    await app.page.keyboard.press('ControlOrMeta+End');
    await app.page.keyboard.type(typed, { delay });
    await expect
      .poll(() => app.readNote('Alone.md'))
      .toBe(`#User : hello\n\n#Local : \n\n${whole}\n\n#User : ${typed}`);
  });

  test(`what is typed at the end of a note while code is written above its last turn is of that turn (${delay} ms a key)`, async ({
    app,
    provider,
  }) => {
    provider.answer({ body: spoken(...code), pieces: 60, pauseMs: 80 });
    await ask(app, 'Turn below');
    await app.page.keyboard.press('ControlOrMeta+End');
    await app.page.keyboard.type(` ${typed}`, { delay });
    await app.page.keyboard.press('Enter');
    await app.page.keyboard.type('```');
    await app.page.keyboard.press('Enter');
    await app.page.keyboard.type('own', { delay });
    await expect
      .poll(() => app.readNote('Turn below.md'))
      .toMatch(
        /^#User : hello\n\n#Local : \n\n```js\n(?:line\d+\(\)\n){24}```\n\n#User : next what is typed on\n```\nown/,
      );
  });
}
