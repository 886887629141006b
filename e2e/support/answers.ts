import type { Answer, ProviderServer } from '../../tests/provider-server';
import type { Press } from './buttons';
import { type AppUnderTest, expect } from './fixtures';
import { settingsFor, test as withProvider } from './provider';

/** How an answer comes to where a test wants it. */
export interface Course {
  /** What the toolbar says then. */
  readonly words: string;
  readonly question?: string;
  readonly answers: readonly Answer[];
}

export const stalled = (body: string): Answer => ({ body: `${body} `, stallAt: Buffer.byteLength(body) });

export const nameOf = (state: string, button: string) =>
  `${state} ${button.replace(/\W+/g, '-').toLowerCase()}`;
export const fileOf = (state: string, button: string) => `${nameOf(state, button)}.md`;
export const asked = (question = 'What grows?') => `#User : ${question}`;

/** A note for every state and button, since pressing it changes the note. */
export function notesFor(states: Record<string, Course>, buttons: readonly string[]): Record<string, string> {
  const all = Object.entries(states).flatMap(([state, { question }]) =>
    buttons.map((button) => [fileOf(state, button), asked(question)] as const),
  );
  return Object.fromEntries(all);
}

/** The app with two providers on this machine, `Local` and `Other`, and tools that need no yes unless it is said. */
export const test = withProvider.extend<{ approval: 'allow' | 'ask' }>({
  approval: ['allow', { option: true }],
  settings: async ({ provider, approval }, use) => {
    await use({
      ...settingsFor(provider, { id: 'other', tag: 'Other' }),
      tools: { approval, callsPerNote: -1, rounds: 2, cache: 'run' },
    });
  },
});

export const note = ({ page }: AppUnderTest) => page.locator('section.note:visible');
export const phase = (app: AppUnderTest) => note(app).locator('.note-run');
export const bar = (app: AppUnderTest) => note(app).locator('.note-bar');

export async function ask(app: AppUnderTest, provider: ProviderServer, course: Course): Promise<void> {
  provider.answer(...course.answers);
  await app.page.locator('.cm-content').click();
  await app.page.keyboard.press('ControlOrMeta+End');
  await app.page.keyboard.press('ControlOrMeta+Enter');
}

export const chooseOther: Press = async (button, app) => {
  await button.click();
  await app.page.getByRole('menuitemradio', { name: /^Other/ }).click();
  await expect(bar(app).getByRole('button', { name: 'Who answers: Other m' })).toBeVisible();
};
