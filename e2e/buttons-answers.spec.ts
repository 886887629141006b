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
import { bench, benchTool } from './support/bench';
import { type ButtonState, openByName, type Press, pressAll } from './support/buttons';
import { type AppUnderTest, expect } from './support/fixtures';
import { calling, ended as ends, said, spoken } from './support/provider';

type Reason = Extract<RunPhase, { kind: 'finished' }>['reason'];

const kept = 'Kept words.';

/** Every way in which an answer ends by itself or is ended. */
const finished = {
  stop: { words: 'Answered', answers: [{ body: spoken(kept) }] },
  length: {
    words: 'Cut off at the length limit',
    answers: [{ body: said({ content: kept }) + ends('length') }],
  },
  'content-filter': {
    words: 'Ended by the provider’s filter',
    answers: [{ body: said({ content: kept }) + ends('content_filter') }],
  },
  rounds: {
    words: 'Ended at the limit of rounds',
    answers: [{ body: said({ content: kept }) + calling([benchTool('look'), { word: 'again' }]) }],
  },
  cancelled: { words: 'Stopped', answers: [stalled(said({ content: kept }))] },
} satisfies Record<Reason, Course>;

/** The note in which it really ends so. */
const ended = 'ended';
const steps = [
  'Answer',
  'Who answers: Local m',
  'Copy',
  'Write it anew',
  'Ask another model …',
  'Compare with another model …',
  'Branch to a new note',
  'Discard',
];
test.use({
  servers: bench,
  permissions: ['clipboard-read', 'clipboard-write'],
  notes: notesFor(finished, [...steps, ended]),
});

function answered(state: Reason, provider: ProviderServer): ButtonState {
  const read = (app: AppUnderTest, button: string) => app.readNote(fileOf(state, button));
  const course = finished[state];
  async function pick(app: AppUnderTest, who: string): Promise<void> {
    const dialog = app.page.getByRole('dialog');
    await expect(dialog.getByRole('option', { name: new RegExp(who) })).toBeVisible();
    await app.page.keyboard.insertText(who);
    await expect(dialog.getByRole('option', { selected: true })).toContainText(who);
    await app.page.keyboard.press('Enter');
  }
  const buttons: Record<string, Press> = {
    async Answer(button, app) {
      const { page } = app;
      await page.locator('.cm-content').click();
      await page.keyboard.press('ControlOrMeta+End');
      const waits = (await read(app, 'Answer')).endsWith('#User : ');
      await page.keyboard.insertText(waits ? 'More?' : '\n\n#User : More?');
      provider.answer({ body: spoken('Second.') });
      await button.click();
      await expect.poll(() => read(app, 'Answer')).toMatch(/More\?\n\n#Local : Second\.\n\n#User : $/);
    },
    'Who answers: Local m': chooseOther,
    async Copy(button, { page }) {
      await button.click();
      await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toContain(kept);
    },
    async 'Write it anew'(button, app) {
      provider.answer({ body: spoken('New.') });
      await button.click();
      await expect
        .poll(() => read(app, 'Write it anew'))
        .toMatch(/^#User : What grows\?\n\n#Local : New\.(?:\n\n#User : )?$/);
    },
    async 'Ask another model …'(button, app) {
      provider.answer({ body: spoken('Else.') });
      await button.click();
      await pick(app, 'Other');
      await expect
        .poll(() => read(app, 'Ask another model …'))
        .toMatch(/^#User : What grows\?\n\n#Other : Else\.(?:\n\n#User : )?$/);
    },
    async 'Compare with another model …'(button, app) {
      provider.answer({ body: spoken('Else.') });
      await button.click();
      await pick(app, 'Other');
      const both = app.page.getByRole('region', { name: 'Two answers side by side' });
      await expect(both.getByRole('article').first()).toContainText(kept);
      await expect(both.getByRole('article').last()).toContainText('Else.');
      await both.getByRole('button', { name: 'Keep both' }).click();
      await expect(both).toBeHidden();
      await expect
        .poll(async () => (await read(app, 'Compare with another model …')).match(/^#(?:Local|Other) :/gm))
        .toEqual(['#Local :', '#Other :']);
    },
    async 'Branch to a new note'(button, app) {
      // Twice, as on a desktop.
      await button.dblclick();
      const name = `${nameOf(state, 'Branch to a new note')} (branch)`;
      await expect(app.page.getByRole('tab', { name })).toHaveAttribute('aria-selected', 'true');
      await app.page.waitForTimeout(1_000);
      await expect(app.page.getByRole('tab', { name: name.slice(0, -1) })).toHaveCount(1);
      await expect.poll(() => app.readNote(`${name}.md`)).toMatch(/Kept words\.[\s\S]*\n\n#User : $/);
    },
    async Discard(button, app) {
      await button.click();
      await expect.poll(async () => (await read(app, 'Discard')).trimEnd()).toBe(asked());
    },
  };
  const shown = (app: AppUnderTest) => note(app).locator('.note-bar, .cm-answer-actions');
  let text = '';
  /** It really ends so once; the text that this leaves stands in the notes for the buttons. */
  async function end(app: AppUnderTest): Promise<void> {
    await openByName(app, nameOf(state, ended));
    await ask(app, provider, course);
    if (state === 'cancelled') {
      await expect(app.page.locator('.cm-content')).toContainText(kept);
      await bar(app).getByRole('button', { name: 'Stop' }).click();
    }
    await expect(phase(app)).toContainText(course.words);
    await expect.poll(() => read(app, ended)).toContain(kept);
    await expect(bar(app).getByText('Saved')).toBeAttached();
    text = await read(app, ended);
  }
  return {
    async show(app, button) {
      if (text === '') await end(app);
      await app.writeNote(fileOf(state, button), text);
      await openByName(app, nameOf(state, button));
      await expect(bar(app).getByRole('button', { name: 'Who answers: Local m' })).toBeVisible();
      await note(app).locator('.cm-answer-actions').hover();
      return shown(app);
    },
    buttons,
  };
}

for (const half of [
  ['stop', 'length', 'cancelled'],
  ['content-filter', 'rounds'],
] as const) {
  test(`however an answer has ended (${half.join(', ')}), its buttons are known and do what they say`, async ({
    app,
    provider,
  }) => {
    // A busy machine is slow, not wrong.
    test.setTimeout(240_000);
    for (const state of half) await pressAll(app, `an answer, ${state}`, answered(state, provider));
  });
}
