import type { RunCall } from '../src/contract/chat';
import type { ProviderServer } from '../tests/provider-server';
import { ask, asked, nameOf, note, phase, test } from './support/answers';
import { bench, benchTool, blockOf, callsMade } from './support/bench';
import { type ButtonState, openByName, type Press, pressAll } from './support/buttons';
import { type AppUnderTest, expect } from './support/fixtures';
import { calling } from './support/provider';

type State = RunCall['state'];
type Going = Exclude<State, 'ok' | 'error' | 'denied' | 'cancelled'>;

/** A model's call, one of a block of the person's own, or one made once more, whose older result still stands. */
type By = 'model' | 'person' | 'again';

/** A call that has not ended, and by whom. */
const going = {
  asked: { by: ['model', 'person', 'again'], buttons: ['Open'] },
  running: { by: ['model', 'person', 'again'], buttons: ['Open', 'Stop this call'] },
} satisfies Record<Going, { by: By[]; buttons: string[] }>;

function goingCall(by: By, state: Going, provider: ProviderServer): ButtonState {
  const name = (button: string) => nameOf(`${by}-${state}`, button);
  const card = (app: AppUnderTest) => note(app).locator('.cm-call');
  const presses: Record<string, Press> = {
    async Open(button, app) {
      await button.click();
      const body = card(app).locator('.cm-card-body');
      // What a person's own block asks for stands above the card.
      if (by !== 'person') await expect(body).toContainText(name('Open'));
      await expect(body).toContainText(by === 'again' && state === 'asked' ? 'old words' : '(none yet)');
      await card(app).getByTitle('Close', { exact: true }).click();
      await expect(card(app).locator('.cm-card-body')).toHaveCount(0);
    },
    async 'Stop this call'(button, app) {
      const file = () => app.readNote(`${name('Stop this call')}.md`);
      await expect.poll(callsMade).toContain(`wait ${name('Stop this call')}`);
      await button.click();
      await expect.poll(file).toContain('result cancelled');
      await expect(card(app)).toContainText('cancelled');
      // It alone was stopped: the answer went on, to where it ends.
      if (by === 'model') await expect(phase(app)).toContainText('Ended at the limit of rounds');
    },
  };
  return {
    async show(app, button) {
      await openByName(app, name(button));
      if (by === 'person') await note(app).getByTitle('Run this tool call').click();
      else if (by === 'again') await runAgain(app);
      else await ask(app, provider, { words: '', answers: [{ body: callOf(name(button)) }] });
      await expect(card(app)).toHaveCount(1);
      await expect(card(app)).toContainText(state === 'asked' ? 'waits for your answer' : /\d s/);
      return card(app);
    },
    buttons: Object.fromEntries(going[state].buttons.map((words) => [words, presses[words] as Press])),
  };
}
const callOf = (word: string) => calling([benchTool('wait'), { word }]);

async function runAgain(app: AppUnderTest): Promise<void> {
  const button = note(app).getByTitle('Run again', { exact: true });
  await button.focus();
  await button.press('Enter');
  await expect(note(app).locator('.cm-card-toggle')).toHaveAttribute('aria-expanded', 'true');
  await note(app).getByTitle('Close', { exact: true }).click();
}

function noteFor(by: By, name: string): string {
  const block = blockOf('wait', name);
  if (by === 'person') return `${block}\n`;
  if (by === 'model') return asked();
  const result = '```result ok ms=3 turn=1\nold words\n```';
  return `${asked()}\n\n#Local : I look.\n\n> [!tool]- Test Bench · wait · 3 ms\n${quoted(block)}\n${quoted(result)}\n`;
}
const quoted = (text: string) => text.replace(/^/gm, '> ');

for (const state of Object.keys(going) as Going[]) {
  const { by: hands, buttons } = going[state];
  const notes = hands.flatMap((by) =>
    buttons.map((button) => {
      const name = nameOf(`${by}-${state}`, button);
      return [`${name}.md`, noteFor(by, name)] as const;
    }),
  );
  test.describe(state, () => {
    test.use({
      servers: bench,
      notes: Object.fromEntries(notes),
      approval: state === 'asked' ? 'ask' : 'allow',
    });

    test('a call that has not ended can be looked into, and stopped alone where it runs', async ({
      app,
      provider,
    }) => {
      for (const by of hands) await pressAll(app, `a call, ${by}, ${state}`, goingCall(by, state, provider));
    });
  });
}
