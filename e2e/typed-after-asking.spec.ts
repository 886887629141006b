import type { Page } from '@playwright/test';
import { parseConversation } from '../src/markdown';
import { stalled } from './support/answers';
import type { AppUnderTest } from './support/fixtures';
import { expect, said, spoken, test } from './support/provider';

const tags = { newChat: ['NewChat'], user: ['User'], system: ['System'], assistant: ['Local'] };
const typed = 'what is typed on';
const reply = 'The whole answer.';

/** Each by how its question ends, and where the cursor stands: at the end of the note. */
const notes = {
  Bare: '#User : hello',
  'With a line below': '#User : hello\n',
  'With blanks': '#User : hello  ',
  'With a tag': '#User : hello\n\n#Local : ',
  'With code': '#User : hello\n```\ncode',
};
test.use({
  notes: {
    ...Object.fromEntries(Object.entries(notes).map(([name, text]) => [`${name}.md`, text])),
    'With one below.md': '#User : hello\n\n#NewChat\n\n#User : other',
  },
});

/** What stands in the note under the tag of each: the person, and the model. */
async function wordsIn(app: AppUnderTest, name: string) {
  const text = await app.readNote(`${name}.md`);
  const { turns } = parseConversation(text, tags, []);
  const of = (role: string) =>
    turns.flatMap((turn) => (turn.role === role ? [text.slice(turn.contentFrom, turn.to).trim()] : []));
  return { person: of('user').join(' '), model: of('assistant') };
}

async function standAtEnd(app: AppUnderTest, name: string): Promise<void> {
  await app.openNote(name);
  await app.page.locator('.cm-content').click();
  await app.page.keyboard.press('ControlOrMeta+End');
}

for (const name of Object.keys(notes)) {
  test(`what is typed right after asking is the person’s: ${name}`, async ({ app, provider }) => {
    const { page } = app;
    provider.answer({ body: spoken(reply), pieces: 40 });
    await standAtEnd(app, name);
    await page.keyboard.press('ControlOrMeta+Enter');
    await page.keyboard.type(typed);
    await expect.poll(async () => (await wordsIn(app, name)).model).toEqual([reply]);
    await expect.poll(async () => (await wordsIn(app, name)).person).toContain(typed);
  });

  test(`so is what is typed while the core stands still: ${name}`, async ({ app, provider }) => {
    const { page } = app;
    provider.answer({ body: spoken(reply), pieces: 40 });
    await standAtEnd(app, name);
    await page.waitForTimeout(1_000);
    const goOn = app.freeze();
    await page.keyboard.press('ControlOrMeta+Enter');
    await page.keyboard.type(typed, { delay: 40 });
    goOn();
    await page.keyboard.type(typed);
    await expect.poll(async () => (await wordsIn(app, name)).model).toEqual([reply]);
    await expect.poll(async () => (await wordsIn(app, name)).person).toContain(typed + typed);
  });
}

test('what is typed on while the answer is written stays where the cursor is, in the question', async ({
  app,
  provider,
}) => {
  const { page } = app;
  provider.answer(stalled(said({ content: 'Half an answer' })));
  await standAtEnd(app, 'With a line below');
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect(page.locator('.cm-content')).toContainText('Half an answer');
  await page.keyboard.type(' there');
  await page.getByRole('button', { name: 'Stop' }).click();
  await expect
    .poll(() => app.readNote('With a line below.md'))
    .toBe('#User : hello there\n\n#Local : Half an answer\n\n#User : \n');
});

const down = { 'goes to the end': 'ControlOrMeta+End', 'goes a line down': 'ArrowDown' };
const below = Object.entries(down).flatMap(([how, key]) =>
  // The end of the note is another turn where something stands below.
  ['Bare', 'With a line below', ...(key === 'ArrowDown' ? ['With one below'] : [])].map((name) => ({
    name,
    how,
    key,
  })),
);
for (const { name, how, key } of below)
  for (const pause of [0, 60])
    test(`who has asked, ${how} and types on at once (${pause} ms) is in the next turn: ${name}`, async ({
      app,
      provider,
    }) => {
      const { page } = app;
      provider.answer({ body: spoken(reply), pieces: 20, pauseMs: 20 });
      await app.openNote(name);
      await page.locator('.cm-line', { hasText: 'hello' }).click();
      await page.keyboard.press('End');
      if (pause > 0) await page.keyboard.press('ArrowLeft');
      await page.keyboard.press('ControlOrMeta+Enter');
      await page.keyboard.press(key);
      await page.waitForTimeout(pause);
      await page.keyboard.type(typed, { delay: 15 });
      const after = name === 'With one below' ? '\\n\\n#NewChat\\n' : '\\s*$';
      await expect
        .poll(() => app.readNote(`${name}.md`))
        .toMatch(new RegExp(`^#User : hello\\n\\n#Local : ${reply}\\n+#User : ${typed}${after}`));
      expect(provider.requests).toHaveLength(1);
    });

for (const delay of [0, 30])
  test(`what is typed at the end of an answer with something below is a turn between them (${delay} ms a key)`, async ({
    app,
    provider,
  }) => {
    const { page } = app;
    const words = Array.from({ length: 20 }, (_, number) => `w${number} `);
    provider.answer({ body: spoken(...words), pieces: 60, pauseMs: 60 });
    await app.openNote('With one below');
    await page.locator('.cm-line', { hasText: 'hello' }).click();
    await page.keyboard.press('End');
    await page.keyboard.press('ControlOrMeta+Enter');
    const line = page.locator('.cm-line', { hasText: 'w3' });
    await line.click();
    await page.keyboard.press('End');
    await page.keyboard.type(typed, { delay });
    await expect
      .poll(() => app.readNote('With one below.md'))
      .toBe(
        `#User : hello\n\n#Local : ${words.join('').trim()}\n\n#User : ${typed}\n\n#NewChat\n\n#User : other`,
      );
  });

const returns = {
  'right after asking': async ({ page }: AppUnderTest) => {
    await page.getByRole('treeitem', { name: 'With code' }).click();
    await page.getByRole('tab', { name: 'Bare' }).click();
    await expect(page.locator('.cm-content')).toContainText('Local');
  },
  'while it grows': async (app: AppUnderTest) => {
    await goAway(app);
    await app.page.getByRole('tab', { name: 'Bare' }).click();
    await expect(app.page.locator('.cm-content')).toContainText('word4');
  },
  'once it has ended': async (app: AppUnderTest) => {
    await goAway(app);
    await expect.poll(() => app.readNote('Bare.md')).toMatch(/word29\n\n#User : $/);
    await app.page.getByRole('tab', { name: 'Bare' }).click();
    await expect(app.page.locator('.cm-content')).toContainText('word29');
  },
};
async function goAway(app: AppUnderTest): Promise<void> {
  await expect(app.page.locator('.cm-content')).toContainText('word3');
  await app.page.keyboard.press('ControlOrMeta+End');
  await app.openNote('With code');
}
const inserts = {
  typed: (page: Page) => page.keyboard.type(typed, { delay: 15 }),
  'inserted without a key': (page: Page) => page.keyboard.insertText(typed),
};
for (const [moment, back] of Object.entries(returns))
  for (const [how, act] of Object.entries(inserts))
    test(`what is ${how} by whoever went to another note and came back ${moment} is whole, and the person’s`, async ({
      app,
      provider,
    }) => {
      const { page } = app;
      const words = Array.from({ length: 30 }, (_, number) => `word${number} `);
      provider.answer({ body: spoken(...words), pieces: 90, pauseMs: 30 });
      await standAtEnd(app, 'Bare');
      await page.keyboard.press('ControlOrMeta+Enter');
      await back(app);
      await expect(page.locator('.cm-content')).toBeFocused();
      await act(page);
      const answer = `\n\n#Local : ${words.join('').trim()}\n\n#User : `;
      const texts = [`#User : hello${answer}${typed}`];
      // Who was back before the answer had begun still waits in the question.
      if (moment === 'right after asking') texts.push(`#User : hello${typed}${answer}`);
      await expect.poll(async () => texts.includes(await app.readNote('Bare.md'))).toBe(true);
    });

for (const delay of [0, 30])
  test(`what is typed at the end of a note while its answer is written is the person’s next turn (${delay} ms a key)`, async ({
    app,
    provider,
  }) => {
    const { page } = app;
    const words = Array.from({ length: 40 }, (_, number) => `word${number} `);
    provider.answer({ body: spoken(...words), pieces: 120, pauseMs: 60 });
    await standAtEnd(app, 'Bare');
    await page.keyboard.press('ControlOrMeta+Enter');
    await expect(page.locator('.cm-content')).toContainText('word3');
    await page.keyboard.press('ControlOrMeta+End');
    await page.keyboard.type(typed, { delay });
    await expect
      .poll(() => app.readNote('Bare.md'))
      .toBe(`#User : hello\n\n#Local : ${words.join('').trim()}\n\n#User : ${typed}`);
  });

const ways = {
  typed: (page: Page) => page.keyboard.type(typed),
  'typed behind Enter': async (page: Page) => {
    await page.keyboard.press('Enter');
    await page.keyboard.type(typed);
  },
  'inserted without a key': (page: Page) => page.keyboard.insertText(typed),
  'composed without a key': async (page: Page) => {
    const devtools = await page.context().newCDPSession(page);
    for (const text of ['what', 'what is', typed]) {
      await devtools.send('Input.imeSetComposition', {
        text,
        selectionStart: text.length,
        selectionEnd: text.length,
      });
      await page.waitForTimeout(150);
    }
    await devtools.send('Input.insertText', { text: typed });
  },
};
const moments = { 'goes on': null, 'is stopped before': 'before', 'is stopped after': 'after' } as const;
for (const [how, act] of Object.entries(ways))
  for (const [moment, stops] of Object.entries(moments))
    for (const pause of [0, 70, 700])
      test(`what is ${how} at the end of an answer that ${moment} (${pause} ms), is the person’s one next turn`, async ({
        app,
        provider,
      }) => {
        const { page } = app;
        const words = Array.from({ length: 12 }, (_, number) => `word${number} `);
        provider.answer({ body: spoken(...words), pieces: 36, pauseMs: 40 });
        await standAtEnd(app, 'Bare');
        await page.keyboard.press('ControlOrMeta+Enter');
        await expect(page.locator('.cm-content')).toContainText('word3');
        if (stops === 'before') await page.keyboard.press('Escape');
        await page.waitForTimeout(stops === 'before' ? pause : 0);
        await page.keyboard.press('ControlOrMeta+End');
        if (stops === 'after') await page.keyboard.press('Escape');
        await page.waitForTimeout(stops === 'before' ? 0 : pause);
        await act(page);
        await expect
          .poll(() => app.readNote('Bare.md'))
          .toMatch(new RegExp(`^#User : hello\\n\\n#Local : (word\\d+ ?)+\\n\\n#User : \\n?${typed}$`));
      });

const elsewhere = {
  'another note and back': async ({ page }: AppUnderTest) => {
    await page.getByRole('treeitem', { name: 'With blanks' }).click();
    await page.getByRole('treeitem', { name: 'Bare' }).click();
  },
  'another note': async ({ page }: AppUnderTest) =>
    page.getByRole('treeitem', { name: 'With blanks' }).click(),
  'a new note': async ({ page }: AppUnderTest) => page.keyboard.press('Alt+Shift+N'),
};
for (const [where, go] of Object.entries(elsewhere))
  test(`whoever has asked and goes to ${where} at once has asked all the same`, async ({ app, provider }) => {
    const { page } = app;
    provider.answer({ body: spoken(reply), pieces: 4 });
    await standAtEnd(app, 'Bare');
    await page.waitForTimeout(1_000);
    const goOn = app.freeze();
    await page.keyboard.type(typed);
    await page.keyboard.press('ControlOrMeta+Enter');
    await go(app);
    await page.waitForTimeout(300);
    goOn();
    await expect
      .poll(() => app.readNote('Bare.md'))
      .toBe(`#User : hello${typed}\n\n#Local : ${reply}\n\n#User : `);
    expect(provider.requests).toHaveLength(1);
  });

test('who leaves the page before the app has heard of a question is told that it was not asked', async ({
  app,
  provider,
}) => {
  const { page } = app;
  await standAtEnd(app, 'Bare');
  await page.waitForTimeout(1_000);
  const goOn = app.freeze();
  await page.keyboard.type(typed);
  await page.keyboard.press('ControlOrMeta+Enter');
  const address = new URL('/', page.url()).href;
  page.on('dialog', (dialog) => void dialog.accept());
  const closed = page.waitForEvent('close');
  await page.close({ runBeforeUnload: true });
  await closed;
  goOn();
  const next = await page.context().newPage();
  await next.goto(address);
  const told = next.locator('.ui-callout', { hasText: 'What you asked for was not begun' });
  await told.getByRole('button', { name: 'Bare' }).click();
  await expect.poll(() => app.readNote('Bare.md')).toContain(typed);
  expect(provider.requests).toHaveLength(0);
  await told.getByRole('button', { name: 'Dismiss' }).click();
  await expect(told).toHaveCount(0);
});

test('what is typed while an answer is written anew in which the cursor was is no part of it', async ({
  app,
  provider,
}) => {
  const { page } = app;
  await app.writeNote('Old.md', '#User : hello\n\n#Local : Old words\n\n#User : ');
  await app.openNote('Old');
  await page.getByText('Old words').click();
  provider.answer({ body: spoken(reply), pieces: 40 });
  await app.runCommand('Answer: Write it anew');
  await expect(page.locator('.cm-content')).not.toContainText('Old words');
  await page.keyboard.type(typed);
  await expect.poll(async () => (await wordsIn(app, 'Old')).model).toEqual([reply]);
  await expect.poll(async () => (await wordsIn(app, 'Old')).person).toContain(typed);
});

test('where nothing is answered, nothing is left behind the question', async ({ app, provider }) => {
  const { page } = app;
  await app.writeNote('Nobody.md', '---\nagent: nobody\n---\n#User : hello');
  await standAtEnd(app, 'Nobody');
  await page.keyboard.press('ControlOrMeta+Enter');
  await page.keyboard.type(typed);
  await expect(page.getByText('No provider and no agent answers to')).toBeVisible();
  await expect.poll(() => app.readNote('Nobody.md')).toBe(`---\nagent: nobody\n---\n#User : hello${typed}`);
  expect(provider.requests).toHaveLength(0);
});
