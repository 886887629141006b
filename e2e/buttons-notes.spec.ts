import type { ResultState } from '../src/markdown';
import type { BlockState } from '../src/renderer/features/editor/preview/fences';
import { bench, benchName, blockOf, callsMade } from './support/bench';
import { type ButtonState, openByName, type Press, pressAll } from './support/buttons';
import { type AppUnderTest, expect, test } from './support/fixtures';

type By = 'person' | 'model';

/** Every state in which a call can stand in a note that nobody works on, and the words that say so. */
const finished = {
  ok: 'ok ms=3',
  cached: 'ok ms=0 cached',
  error: 'error ms=3',
  cancelled: 'cancelled ms=3',
  denied: 'denied ms=0',
  interrupted: 'interrupted',
} satisfies Record<Exclude<ResultState, 'running'> | 'cached', string>;
type Finished = keyof typeof finished;
const states = Object.keys(finished) as Finished[];

const quoted = (text: string) => text.replace(/^/gm, '> ');

function noteWith(by: By, state: Finished, word: string): string {
  const own = blockOf('look', word);
  const title = `> [!tool]- ${benchName} · look · 3 ms`;
  const result = `\`\`\`result ${finished[state]} at=2026-11-21T10:00:00Z turn=1\nold words\n\`\`\``;
  return by === 'person'
    ? `Above.\n\n${own}\n\n${title}\n${quoted(result)}\n\nBelow.\n`
    : `#User : Look.\n\n#Demo : I look.\n\n${title}\n${quoted(own)}\n${quoted(result)}\n\nBelow.\n`;
}

/** One note for what is edited, since the state is another then, one for the rest; its name is the word that it looks up. */
const nameOf = (by: By, state: Finished, button: string) =>
  `${by}-${state}-${button.startsWith('Edit') ? 'edited' : 'again'}`;

const card = ({ page }: AppUnderTest) => page.locator('.cm-call');

function finishedCall(by: By, state: Finished): ButtonState {
  /** The call was made once more, by the server, and stands in its place. */
  async function madeAnew(app: AppUnderTest, button: string, word: string): Promise<void> {
    const read = () => app.readNote(`${nameOf(by, state, button)}.md`);
    await expect.poll(callsMade).toContain(`look ${word}`);
    await expect.poll(read).toContain(`found ${word}`);
    const note = await read();
    expect(note).toMatch(/result ok ms=\d+ at=/);
    expect(note).not.toMatch(/old words|^> ```result .*(?:cached|interrupted)/m);
    expect(note.match(/\[!tool\]/g), 'one card, as before').toHaveLength(1);
    expect(note.match(/tool: look/g), 'one block, as before').toHaveLength(1);
    expect(note.endsWith('\n\nBelow.\n')).toBe(true);
  }
  return {
    async show(app, button) {
      await openByName(app, nameOf(by, state, button));
      await expect(card(app)).toHaveCount(1);
      return card(app);
    },
    buttons: {
      async Open(button, app) {
        await button.click();
        await expect(card(app).locator('.cm-card-body')).toContainText('old words');
        await card(app).getByTitle('Close', { exact: true }).click();
        await expect(card(app).locator('.cm-card-body')).toHaveCount(0);
      },
      async 'Copy result'(button, { page }) {
        await button.click();
        await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe('old words');
      },
      async 'Show source'(button, app) {
        await button.click();
        await expect(card(app)).toHaveCount(0);
        await expect(app.page.getByText('> [!tool]-')).toBeVisible();
        await app.page.keyboard.press('ControlOrMeta+Home');
        await expect(card(app)).toHaveCount(1);
      },
      async 'Run again'(button, app) {
        const word = nameOf(by, state, 'Run again');
        await button.click();
        await madeAnew(app, 'Run again', word);
        await expect(card(app).locator('.cm-card-body')).toContainText(`found ${word}`);
      },
      async 'Edit and run again'(button, app) {
        const { page } = app;
        await button.click();
        await expect(page.locator('.cm-content')).toBeFocused();
        await page.keyboard.insertText('-more');
        await expect(page.getByTitle('Run this tool call')).toBeVisible();
        await page.keyboard.press('ControlOrMeta+Enter');
        await madeAnew(app, 'Edit and run again', `${nameOf(by, state, 'Edit and run again')}-more`);
      },
    },
  };
}

test.describe('calls in a note', () => {
  const buttons = ['Run again', 'Edit and run again'];
  const notes = (['person', 'model'] as const).flatMap((by) =>
    states.flatMap((state) =>
      buttons.map((button): [string, string] => [
        `${nameOf(by, state, button)}.md`,
        noteWith(by, state, nameOf(by, state, button)),
      ]),
    ),
  );
  test.use({
    notes: { ...Object.fromEntries(notes) },
    settings: { tools: { approval: 'allow', callsPerNote: -1 } },
    servers: bench,
    permissions: ['clipboard-read', 'clipboard-write'],
  });

  for (const by of ['person', 'model'] as const) {
    test(`whatever state a card by a ${by} is in, its buttons are known and do what they say`, async ({
      app,
    }) => {
      for (const state of states) await pressAll(app, `a card by a ${by}, ${state}`, finishedCall(by, state));
    });
  }
});

/** What stands at a block of the person's own before it is run; its note looks up its own name. */
const blocks = {
  closed: 'Run this tool call',
  'not closed': 'Without its closing line the block goes on to the end of the note',
} satisfies Record<BlockState, string>;

test.describe('blocks in a note', () => {
  const whole = (name: string) => `Above.\n\n${blockOf('look', name)}\n\nBelow.\n`;
  test.use({
    notes: { 'closed.md': whole('closed'), 'not closed.md': whole('not closed').replace('\n```\n', '\n') },
    settings: { tools: { approval: 'allow', callsPerNote: -1 } },
    servers: bench,
  });

  test('a block is run where it is closed, and closed where it is not; what stands below stays there', async ({
    app,
  }) => {
    const inBlock = app.page.locator('section.note:visible .cm-content');
    for (const name of Object.keys(blocks) as BlockState[]) {
      const read = () => app.readNote(`${name}.md`);
      const run: Press = async (button) => {
        await button.click();
        await expect.poll(read).toContain(`found ${name}`);
        const [before = '', after] = (await read()).split('> [!tool]');
        expect(before).toBe(whole(name).replace('Below.\n', ''));
        expect(after).toMatch(/\n\nBelow\.\n$/);
      };
      await pressAll(app, `a block, ${name}`, {
        async show() {
          await openByName(app, name);
          await expect(app.page.locator('.cm-content')).toContainText('Below.');
          return inBlock;
        },
        buttons: {
          async [blocks[name]](button) {
            if (name === 'closed') return run(button, app);
            await button.click();
            await expect.poll(read).toBe(whole(name));
            await run(app.page.getByTitle(blocks.closed), app);
          },
        },
      });
    }
  });
});
