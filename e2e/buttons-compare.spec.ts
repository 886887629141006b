import type { Compared } from '../src/renderer/features/conversation/compare/compared';
import type { ProviderServer } from '../tests/provider-server';
import { ask, asked, bar, fileOf, nameOf, note, notesFor, phase, stalled, test } from './support/answers';
import { type ButtonState, openByName, type Press, pressAll } from './support/buttons';
import { type AppUnderTest, expect } from './support/fixtures';
import { said, spoken } from './support/provider';

/** How the second answer stands beside the first, and the words that say so. */
const states = {
  writing: { answers: [stalled(said({ content: 'Second' }))], words: 'Writing' },
  none: { answers: [stalled('')], words: 'There is no second answer.' },
  both: { answers: [{ body: spoken('Second.') }], words: 'Second.' },
} satisfies Record<Compared, object>;
const kinds = Object.keys(states) as Compared[];
const parts = { first: ['Keep this one'], second: ['Keep this one'], head: ['Keep both', 'Close'] } as const;
type Part = keyof typeof parts;

const stateOf = (kind: Compared, part: Part) => `${kind}-${part}`;
const all = kinds.flatMap((kind) =>
  (Object.keys(parts) as Part[]).map((part) =>
    notesFor({ [stateOf(kind, part)]: { words: '', answers: [] } }, parts[part]),
  ),
);
test.use({ notes: Object.assign({}, ...all) });

const panel = ({ page }: AppUnderTest) => page.getByRole('region', { name: 'Two answers side by side' });

/** Has a second model answer beside the first, until it stands as it is wanted. */
async function compare(app: AppUnderTest, provider: ProviderServer, kind: Compared): Promise<void> {
  const { answers, words } = states[kind];
  await ask(app, provider, { words: '', answers: [{ body: spoken('First.') }] });
  await expect(phase(app)).toContainText('Answered');
  await note(app).locator('.cm-answer-actions').hover();
  await note(app).getByRole('button', { name: 'Compare with another model …' }).click();
  await expect(app.page.getByRole('dialog').getByRole('option', { name: /Other/ })).toBeVisible();
  provider.answer(...answers);
  await app.page.keyboard.insertText('Other');
  await expect(app.page.getByRole('option', { selected: true })).toContainText('Other');
  await app.page.keyboard.press('Enter');
  await expect(panel(app).getByRole('article').first()).toContainText('First.');
  const second = panel(app).getByRole('article').last();
  if (kind === 'none') {
    await expect(second).toContainText('Waiting for the model');
    await stop(app);
  }
  await expect(second).toContainText(words);
  if (kind === 'both') await expect(bar(app).getByRole('button', { name: /^Answer/ })).toBeEnabled();
}

async function stop(app: AppUnderTest): Promise<void> {
  await bar(app).getByRole('button', { name: 'Stop' }).click();
  await expect(bar(app).getByRole('button', { name: /^Answer/ })).toBeEnabled();
}

function comparing(kind: Compared, part: Part, provider: ProviderServer): ButtonState {
  const first = `${asked()}\n\n#Local : First.`;
  const second = '#Other : Second.';
  async function leaves(app: AppUnderTest, button: string, left: string): Promise<void> {
    await expect(panel(app)).toBeHidden();
    const text = () => app.readNote(fileOf(stateOf(kind, part), button));
    await expect.poll(async () => (await text()).replace(/\n\n#User : $/, '').trimEnd()).toBe(left);
  }
  const choose =
    (button: string, possible: boolean, left: string): Press =>
    async (press, app) => {
      if (!possible) return expect(press).toBeDisabled();
      await press.click();
      await leaves(app, button, left);
    };
  const both = `${first}\n\n${second}`;
  const presses: Record<Part, Record<string, Press>> = {
    first: { 'Keep this one': choose('Keep this one', kind === 'both', first) },
    second: { 'Keep this one': choose('Keep this one', kind === 'both', `${asked()}\n\n${second}`) },
    head: {
      'Keep both': choose('Keep both', kind !== 'writing', kind === 'both' ? both : first),
      async Close(press, app) {
        await press.click();
        if (kind === 'writing') await stop(app);
        const written = { writing: `${first}\n\n#Other : Second`, none: first, both };
        await leaves(app, 'Close', written[kind]);
      },
    },
  };
  return {
    async show(app, button) {
      if (await panel(app).isVisible()) {
        if (await bar(app).getByRole('button', { name: 'Stop' }).isVisible()) await stop(app);
        await panel(app).getByRole('button', { name: 'Close' }).click();
      }
      await openByName(app, nameOf(stateOf(kind, part), button));
      await compare(app, provider, kind);
      if (part === 'head') return panel(app).locator('> header');
      const answers = panel(app).getByRole('article');
      return part === 'first' ? answers.first() : answers.last();
    },
    buttons: presses[part],
  };
}

test('however the second of two answers stands, what is kept is what the button says', async ({
  app,
  provider,
}) => {
  // A busy machine is slow, not wrong.
  test.setTimeout(240_000);
  for (const kind of kinds) {
    for (const part of Object.keys(parts) as Part[])
      await pressAll(app, `two answers, ${kind}, ${part}`, comparing(kind, part, provider));
  }
});
