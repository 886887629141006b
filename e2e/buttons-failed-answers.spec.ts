import type { ProviderFailure } from '../src/contract/errors';
import { printFailure } from '../src/markdown';
import type { ProviderServer } from '../tests/provider-server';
import { asked, fileOf, nameOf, note, test } from './support/answers';
import { type ButtonState, openByName, type Press, pressAll } from './support/buttons';
import { type AppUnderTest, expect } from './support/fixtures';
import { spoken } from './support/provider';

const sure = 'Show source';
const again = 'Ask again';
const other = 'Ask another model …';
/** Why there is no answer, and what is offered then. */
const failures = {
  auth: ['Open provider settings', again, sure],
  quota: ['Open provider settings', again, sure],
  'rate-limit': [again, other, sure],
  overloaded: [again, other, sure],
  timeout: [again, other, sure],
  'content-filter': [again, other, sure],
  'context-overflow': ['Trim and ask again', other, sure],
  'model-not-found': ['Choose a model …', again, sure],
  'bad-request': [again, sure],
  network: [again, sure],
  incomplete: [again, sure],
  cancelled: [again, sure],
  /** Of the answer itself, not of its provider. */
  rounds: ['Open tool settings', again, sure],
  length: [again, sure],
  later: ['Retry when possible', other, sure],
} satisfies Record<ProviderFailure | 'rounds' | 'length' | 'later', string[]>;
type Failure = keyof typeof failures;

const failedText = (kind: Failure) => {
  const facts = { kind, provider: 'local', model: 'gone' };
  const later = { ...facts, kind: 'rate-limit', retryAt: Date.now() + 3_600_000 };
  const card = printFailure('No answer', 'It broke.', '', kind === 'later' ? later : facts);
  const oldest = `#User : Oldest ${'word '.repeat(2_000)}\n\n#Local : Yes.\n\n`;
  return `${kind === 'context-overflow' ? oldest : ''}${asked()}\n\n#Local : \n\n${card}\n`;
};

function failure(kind: Failure, provider: ProviderServer): ButtonState {
  const read = (app: AppUnderTest, button: string) => app.readNote(fileOf(`failed-${kind}`, button));
  const settings = async ({ page }: AppUnderTest, heading: string) => {
    const dialog = page.getByRole('dialog', { name: 'Settings' });
    await expect(dialog.getByRole('heading', { name: heading })).toBeVisible();
    return dialog;
  };
  const answers = async (app: AppUnderTest, button: string, tag = 'Local') => {
    await expect.poll(() => read(app, button)).toContain(`#${tag} : Again.`);
    expect(JSON.stringify(provider.requests.at(-1)?.body)).toContain('What grows?');
    expect(JSON.stringify(provider.requests.at(-1)?.body)).not.toContain('It broke.');
  };
  const presses: Record<string, Press> = {
    async 'Ask again'(button, app) {
      provider.answer({ body: spoken('Again.') });
      await button.click();
      await answers(app, again);
    },
    async 'Ask another model …'(button, app) {
      provider.answer({ body: spoken('Again.') });
      await button.click();
      await expect(app.page.getByRole('dialog').getByRole('option', { name: /Other/ })).toBeVisible();
      await app.page.keyboard.insertText('Other');
      await expect(app.page.getByRole('option', { selected: true })).toContainText('Other');
      await app.page.keyboard.press('Enter');
      await answers(app, other, 'Other');
    },
    async 'Trim and ask again'(button, app) {
      provider.answer({ body: spoken('Again.') });
      await button.click();
      // What was left out stands before the answer.
      await expect.poll(() => read(app, 'Trim and ask again')).toMatch(/^Again\.$/m);
      expect(JSON.stringify(provider.requests.at(-1)?.body)).not.toContain('Oldest');
    },
    async 'Choose a model …'(button, app) {
      const models = { body: '{"data":[{"id":"beta"}]}', headers: { 'content-type': 'application/json' } };
      provider.answer(models, { body: spoken('Again.') });
      await button.click();
      await app.page.getByRole('dialog').getByRole('option', { name: 'beta' }).click();
      await answers(app, 'Choose a model …');
      expect(provider.requests.at(-1)?.body).toMatchObject({ model: 'beta' });
    },
    async 'Open provider settings'(button, app) {
      await button.click();
      const dialog = await settings(app, 'Providers');
      await expect(dialog.getByLabel('Tag', { exact: true })).toHaveValue('Local');
      await app.page.keyboard.press('Escape');
      await expect(dialog).toBeHidden();
    },
    async 'Open tool settings'(button, app) {
      await button.click();
      const dialog = await settings(app, 'Tools & limits');
      await app.page.keyboard.press('Escape');
      await expect(dialog).toBeHidden();
    },
    async 'Retry when possible'(button, app) {
      const card = note(app).locator('.cm-failure');
      await button.click();
      await expect(card).toContainText('Retries in');
      const toggle = card.getByRole('button', { name: 'Do not retry' });
      await expect(toggle).toHaveAttribute('aria-pressed', 'true');
      await toggle.click();
      await expect(card).toContainText('You can retry in');
    },
    async 'Show source'(button, app) {
      await button.click();
      await expect(note(app).getByText('> [!failure]')).toBeVisible();
      await expect(note(app).locator('.cm-failure')).toHaveCount(0);
    },
  };
  return {
    async show(app, button) {
      await openByName(app, nameOf(`failed-${kind}`, button));
      // What is far out of sight is not drawn.
      await app.page.locator('.cm-content').focus();
      await app.page.keyboard.press('ControlOrMeta+End');
      return note(app).locator('.cm-failure');
    },
    buttons: Object.fromEntries(failures[kind].map((words) => [words, presses[words] as Press])),
  };
}

test.describe('failed answers', () => {
  const kinds = Object.keys(failures) as Failure[];
  const notes = kinds.flatMap((kind) =>
    ['', ...failures[kind]].map((button) => [fileOf(`failed-${kind}`, button), failedText(kind)] as const),
  );
  test.use({ notes: Object.fromEntries(notes) });

  test('whatever an answer has failed with, the steps on its card are known and do what they say', async ({
    app,
    provider,
  }) => {
    test.setTimeout(240_000);
    for (const kind of kinds) await pressAll(app, `a failed answer, ${kind}`, failure(kind, provider));
  });
});
