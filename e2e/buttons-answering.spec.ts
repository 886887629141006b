import type { RunPhase } from '../src/contract/chat';
import type { ProviderServer } from '../tests/provider-server';
import {
  ask,
  asked,
  bar,
  type Course,
  chooseOther,
  fileOf,
  nameOf,
  note,
  notesFor,
  phase,
  stalled,
  test,
} from './support/answers';
import { bench, benchName, benchTool } from './support/bench';
import { type ButtonState, openByName, pressAll } from './support/buttons';
import { type AppUnderTest, expect } from './support/fixtures';
import { calling, said, spoken } from './support/provider';

type Live = Exclude<RunPhase['kind'], 'finished' | 'failed' | 'broke-off'> | 'hook';

const partial = 'Some words';

/** Every phase of an answer that is on its way, and what a provider does to keep it there. */
const live = {
  preparing: { words: 'Preparing', question: `[It](mcp://Test%20Bench/bench:it)`, answers: [] },
  hook: { words: 'The hook “Look first” runs first', answers: [] },
  waiting: { words: 'Waiting for the model', answers: [{ body: '', stallAt: 0 }] },
  retrying: {
    words: 'Next attempt in',
    answers: [{ status: 429, headers: { 'retry-after': '25' }, body: '{}' }],
  },
  reasoning: { words: 'Thinking', answers: [stalled(said({ reasoning_content: 'Hm.' }))] },
  writing: { words: 'Writing', answers: [stalled(said({ content: partial }))] },
  calling: {
    words: 'Calling wait',
    answers: [{ body: calling([benchTool('wait'), { word: 'long' }]) }, { body: spoken('Well.') }],
  },
} satisfies Record<Live, Course>;

const buttons = ['Stop', 'Who answers: Local m'];

test.use({
  servers: bench,
  notes: {
    ...notesFor(live, buttons),
    '.interlinear/hooks.json': JSON.stringify({
      hooks: [
        {
          name: 'Look first',
          on: 'before-answer',
          note: 'hook *.md',
          run: { tool: `${benchName}/wait`, arguments: { word: 'before' } },
        },
      ],
    }),
  },
});

function liveAnswer(state: Live, provider: ProviderServer): ButtonState {
  const course: Course = live[state];
  const stopped = async (app: AppUnderTest) => {
    await bar(app).getByRole('button', { name: 'Stop' }).click();
    await expect(phase(app)).toContainText(/stopped/i);
    await expect(bar(app).getByRole('button', { name: /^Answer/ })).toBeEnabled();
  };
  return {
    async show(app, button) {
      if (await bar(app).getByRole('button', { name: 'Stop' }).isVisible()) await stopped(app);
      await openByName(app, nameOf(state, button));
      await ask(app, provider, course);
      await expect(phase(app)).toContainText(course.words);
      await expect(note(app).locator('.cm-answer-actions')).toHaveCount(0);
      return bar(app);
    },
    buttons: {
      async Stop(_button, app) {
        const before = asked(course.question);
        const request = provider.requests.at(-1);
        await stopped(app);
        const read = () => app.readNote(fileOf(state, 'Stop'));
        switch (state) {
          case 'writing':
            await expect.poll(read).toBe(`${before}\n\n#Local : ${partial}\n\n#User : `);
            break;
          case 'reasoning':
            await expect.poll(read).toMatch(/#Local : \n\n> \[!thinking\].*\n> Hm\.\n\n#User : $/);
            break;
          case 'calling':
            await expect.poll(read).toContain('result cancelled');
            break;
          default:
            await expect.poll(async () => (await read()).trimEnd()).not.toContain('#Local');
        }
        if (['waiting', 'reasoning', 'writing'].includes(state)) expect(await request?.ended).toBe('left');
      },
      'Who answers: Local m': chooseOther,
    },
  };
}

const states = Object.keys(live) as Live[];
for (const half of [states.slice(0, 4), states.slice(4)]) {
  test(`while an answer is on its way (${half.join(', ')}), it can be stopped, and who answers next be chosen`, async ({
    app,
    provider,
  }) => {
    // A busy machine is slow, not wrong.
    test.setTimeout(240_000);
    await app.page.getByRole('button', { name: 'Trust this folder' }).click();
    for (const state of half) await pressAll(app, `an answer, ${state}`, liveAnswer(state, provider));
  });
}
