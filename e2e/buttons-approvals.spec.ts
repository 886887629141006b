import type { ApprovalAsked } from '../src/contract/tools';
import type { CardFace } from '../src/renderer/features/approvals/card-face';
import type { ProviderServer } from '../tests/provider-server';
import { bench, benchName, benchTool, callsMade, describe, unknownBench } from './support/bench';
import { type ButtonState, openByName, type Press, pressAll } from './support/buttons';
import type { AppUnderTest } from './support/fixtures';
import { calling, expect, settingsFor, spoken, test as withProvider } from './support/provider';

type Why = ApprovalAsked['why']['kind'];
/** The menu of a card is looked at, too. */
type Face = CardFace | 'more';

interface Row {
  /** What the person is asked. */
  readonly title: string;
  readonly yes: string;
  /** How the app is set up so that it asks so. */
  readonly tools: Record<string, unknown>;
  readonly faces: readonly Face[];
}

const faces = { plain: 0, edited: 0, refusing: 0, 'edited and refusing': 0, more: 0 };
const everyFace = Object.keys(faces satisfies Record<Face, number>) as Face[];
const asking = { approval: 'ask', callsPerNote: -1, cache: 'run' };
const table = {
  policy: {
    ...{ title: 'Run look?', yes: 'Allow once', tools: asking },
    faces: everyFace,
  },
  changed: {
    ...{ title: 'look is not what you allowed', yes: 'Allow once', tools: asking },
    faces: ['plain', 'edited', 'refusing', 'more'],
  },
  'call-limit': {
    ...{ title: 'Go on with look?', yes: 'Go on', tools: { approval: 'allow', callsPerNote: 1 } },
    faces: ['plain', 'refusing'],
  },
  flow: {
    ...{
      title: 'May look send something out?',
      yes: 'Allow once',
      tools: { approval: 'allow', cache: 'run' },
    },
    faces: ['plain', 'refusing'],
  },
  'obeyed-file': {
    ...{ title: 'May look reach into .interlinear?', yes: 'Allow once', tools: { approval: 'allow' } },
    faces: ['plain', 'refusing'],
  },
  cached: {
    ...{ title: 'Run look again?', yes: 'Allow once', tools: { approval: 'allow', cache: 'ask' } },
    faces: ['plain', 'refusing'],
  },
} satisfies Record<Why, Row>;

const conversation = 'Allow in this conversation';
const scopes = {
  'Allow in this note': /look of Test Bench in /,
  'Always allow all of Test Bench': /^every tool of Test Bench$/,
  // Last, since what a change is compared with is taken back with it.
  'Always allow this tool': /^look of Test Bench$/,
};

const wordOf = (why: Why, face: Face, button: string) =>
  `${why}-${face.replaceAll(' ', '-')}-${button.replace(/\W+/g, '-').toLowerCase()}`;

const test = withProvider.extend<{ why: Why }>({
  why: ['policy', { option: true }],
  settings: async ({ provider, why }, use) => {
    await use({ ...settingsFor(provider), tools: table[why].tools });
  },
  notes: async ({ why }, use) => {
    const every = [
      '',
      row(why).yes,
      'Edit',
      'As asked',
      'Allow more',
      'Use the earlier answer',
      'Back',
      conversation,
    ];
    const buttons = [...every, 'Deny', 'Deny with reason …', ...Object.keys(scopes)];
    const notes = row(why).faces.flatMap((face) =>
      buttons.map((button) => [`${wordOf(why, face, button)}.md`, '#User : Look.'] as const),
    );
    await use({ ...Object.fromEntries(notes), 'settled.md': '#User : Look.' });
  },
});
test.use({ servers: async ({ why }, use) => use(why === 'flow' ? unknownBench : bench) });

const row = (why: Why): Row => table[why];
const card = ({ page }: AppUnderTest) => page.locator('.approval-dock .approval');

/** Has the model call the tool until the person is asked. */
async function askFor(app: AppUnderTest, provider: ProviderServer, why: Why, word: string): Promise<void> {
  const args = why === 'obeyed-file' ? { word, within: '.interlinear/agents' } : { word };
  const look = { body: calling([benchTool('look'), args]) };
  const before = why === 'call-limit' ? { body: calling([benchTool('look'), { word: 'first' }]) } : look;
  const isSecond = why === 'call-limit' || why === 'cached' || why === 'flow';
  const rounds = isSecond ? [before, look] : [look];
  provider.answer(...rounds, { body: spoken('Fine.') });
  await openByName(app, word);
  await app.page.locator('.cm-content').click();
  await app.page.keyboard.press('ControlOrMeta+End');
  await app.page.keyboard.press('ControlOrMeta+Enter');
}

function asked(why: Why, face: Face, provider: ProviderServer): ButtonState {
  const { title, yes } = row(why);
  const word = (button: string) => wordOf(why, face, button);
  const read = (app: AppUnderTest, button: string) => app.readNote(`${word(button)}.md`);
  const times = (wanted: string) => callsMade().filter((call) => call === `look ${wanted}`).length;
  const earlier = why === 'cached' || why === 'flow' ? 1 : 0;

  async function runs(app: AppUnderTest, button: string, wanted = word(button)): Promise<void> {
    await expect.poll(() => read(app, button)).toContain('Fine.');
    expect(times(wanted)).toBe(earlier + 1);
    expect(await read(app, button)).toContain(`found ${wanted}`);
  }
  async function denied(app: AppUnderTest, button: string, reason = ''): Promise<void> {
    await expect.poll(() => read(app, button)).toContain('Fine.');
    expect(times(word(button))).toBe(earlier);
    expect(await read(app, button)).toMatch(/result denied/);
    expect(JSON.stringify(provider.requests.at(-1)?.body)).toContain(reason);
  }
  const takeBack = async (app: AppUnderTest, scope: RegExp) => {
    const { page } = app;
    await page.keyboard.press('ControlOrMeta+,');
    const settings = page.getByRole('dialog', { name: 'Settings' });
    await settings.getByRole('button', { name: 'Tools & limits' }).click();
    const grant = settings.locator('li', { has: page.locator('span', { hasText: scope }) });
    await grant.getByRole('button', { name: 'Take back' }).click();
    await expect(grant).toHaveCount(0);
    await page.keyboard.press('Escape');
  };

  const allow: Press = async (button, app) => {
    await button.click();
    await runs(app, yes);
  };
  const deny: Press = async (button, app) => {
    await button.click();
    await denied(app, 'Deny');
  };
  const refuse: Press = async (button, app) => {
    await button.click();
    await expect(card(app).getByLabel('Why not')).toBeFocused();
    await app.page.keyboard.insertText('Not this one');
    await app.page.keyboard.press('Enter');
    await denied(app, 'Deny with reason …', 'Not this one');
  };
  const more: Press = async (button, app) => {
    await button.click();
    await expect(app.page.getByRole('menuitem')).toHaveCount(3);
    await app.page.keyboard.press('Escape');
  };
  const editing = (value: string): Press => {
    return async (button, app) => {
      await button.click();
      const box = card(app).getByLabel('Arguments as JSON');
      await expect(box).toHaveValue(JSON.stringify({ word: value }, null, 2));
    };
  };
  const leave = row(why).faces.includes('edited');
  const faces: Record<Face, Record<string, Press>> = {
    plain: {
      [yes]: allow,
      ...(why === 'cached' && {
        async 'Use the earlier answer'(button, app) {
          await button.click();
          await expect.poll(() => read(app, 'Use the earlier answer')).toContain('Fine.');
          expect(times(word('Use the earlier answer'))).toBe(1);
          expect(await read(app, 'Use the earlier answer')).toMatch(/result ok ms=0 .*cached/);
        },
      }),
      ...(why === 'flow' && {
        async [conversation](button, app) {
          await button.click();
          await runs(app, conversation);
        },
      }),
      ...(leave && { Edit: editing(word('Edit')), 'Allow more': more }),
      'Deny with reason …': refuse,
      Deny: deny,
    },
    edited: {
      async [yes](button, app) {
        const edited = `${word(yes)}-edited`;
        await card(app)
          .getByLabel('Arguments as JSON')
          .fill(JSON.stringify({ word: edited }));
        await button.click();
        await runs(app, yes, edited);
        expect(times(word(yes))).toBe(0);
      },
      async 'As asked'(button, app) {
        await card(app).getByLabel('Arguments as JSON').fill('{"word": "other"}');
        await button.click();
        await expect(card(app).locator('pre').last()).toContainText(word('As asked'));
        await card(app).getByRole('button', { name: yes }).click();
        await runs(app, 'As asked');
      },
      'Allow more': more,
      'Deny with reason …': refuse,
      Deny: deny,
    },
    refusing: {
      ...(leave && { Edit: editing(word('Edit')) }),
      async Deny(button, app) {
        await card(app).getByLabel('Why not').fill('Never mind');
        await button.click();
        await denied(app, 'Deny', 'Never mind');
      },
      async Back(button, app) {
        await button.click();
        await card(app).getByRole('button', { name: yes }).click();
        await runs(app, 'Back');
      },
    },
    'edited and refusing': {
      async 'As asked'(button, app) {
        await button.click();
        await expect(card(app).locator('pre').last()).toContainText(word('As asked'));
        await card(app).getByRole('button', { name: 'Deny' }).click();
        await denied(app, 'As asked');
      },
      async Deny(button, app) {
        await card(app).getByLabel('Why not').fill('Never mind');
        await button.click();
        await denied(app, 'Deny', 'Never mind');
      },
      async Back(button, app) {
        await button.click();
        await expect(card(app).getByLabel('Arguments as JSON')).toBeVisible();
        await card(app).getByRole('button', { name: yes }).click();
        await runs(app, 'Back');
      },
    },
    more: Object.fromEntries(
      Object.entries(scopes).map(([label, scope]): [string, Press] => [
        label,
        async (button, app) => {
          await button.click();
          await runs(app, label);
          await takeBack(app, scope);
        },
      ]),
    ),
  };
  return {
    async show(app, button) {
      // What was left unanswered on the way here.
      if (await app.page.getByRole('menu').isVisible()) await app.page.keyboard.press('Escape');
      if (await card(app).isVisible()) {
        // It may be on its way out by itself.
        await expect(async () => {
          const back = card(app).getByRole('button', { name: 'Back' });
          if (await back.isVisible()) await back.click({ timeout: 2_000 });
          const deny = card(app).getByRole('button', { name: /^Deny(?! with)/ });
          if (await deny.isVisible()) await deny.click({ timeout: 2_000 });
          await expect(card(app)).toHaveCount(0, { timeout: 2_000 });
        }).toPass();
        await expect(app.page.locator('.note-bar').getByRole('button', { name: /^Answer/ })).toBeVisible();
      }
      await askFor(app, provider, why, word(button));
      await expect(card(app).getByRole('heading')).toHaveText(title);
      if (face.startsWith('edited')) await card(app).getByRole('button', { name: 'Edit' }).click();
      if (face === 'more') await card(app).getByRole('button', { name: 'Allow more' }).click();
      if (face.endsWith('refusing'))
        await card(app).getByRole('button', { name: 'Deny with reason …' }).click();
      return face === 'more' ? app.page.getByRole('menu') : card(app);
    },
    buttons: faces[face],
  };
}

for (const why of Object.keys(table) as Why[]) {
  for (const face of row(why).faces) {
    test.describe(`${why}, ${face}`, () => {
      test.use({ why });
      test('a call that waits: its buttons are known and do what they say', async ({ app, provider }) => {
        // A busy machine is slow, not wrong.
        test.setTimeout(240_000);
        if (why === 'changed') await changeTool(app, provider);
        await pressAll(app, `a call that waits, ${why}, ${face}`, asked(why, face, provider));
      });
    });
  }
}

/** "Always" is said of the tool, and then its server describes it in other words. */
async function changeTool(app: AppUnderTest, provider: ProviderServer): Promise<void> {
  const { page } = app;
  describe('Looks up words.');
  await askFor(app, provider, 'changed', 'settled');
  await app.decide('look', 'Alt+a');
  await expect.poll(callsMade).toContain('look settled');
  describe('Looks up words and burns the book.');
  await page.getByRole('navigation').getByRole('button', { name: 'Servers', exact: true }).click();
  await page.locator('.ui-choice', { has: page.getByText(benchName, { exact: true }) }).click();
  const server = page.getByRole('article', { name: benchName, exact: true });
  await server.getByRole('button', { name: 'Restart' }).click();
  await expect(server.locator('.server-state')).toContainText('Ready');
}
