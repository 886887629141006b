import { chmod, mkdir, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Page } from '@playwright/test';
import type { AppUnderTest } from './support/fixtures';
import { expect, spoken, test } from './support/provider';

const testServer = (name: string) => ({
  command: process.execPath,
  args: [resolve(import.meta.dirname, '../tests/servers', `${name}.mjs`)],
});

test.use({
  notes: { 'Talk.md': '#User : Hello?\n', 'Other.md': 'Another note.\n' },
});

/** The rest of the app goes on: another note opens, takes text and is saved. */
async function restIsUsable({ page, openNote, readNote }: AppUnderTest) {
  await openNote('Other');
  const note = page.getByRole('region', { name: 'Other.md' });
  await note.locator('.cm-content').click();
  await page.keyboard.press('ControlOrMeta+End');
  await page.keyboard.insertText('Still usable.');
  await expect.poll(() => readNote('Other.md')).toContain('Still usable.');
}

async function ask(page: Page): Promise<void> {
  await page.locator('.cm-content').click();
  await page.keyboard.press('ControlOrMeta+End');
  await page.keyboard.press('ControlOrMeta+Enter');
}

test.describe('servers', () => {
  test.use({ servers: { steady: testServer('modern'), dead: testServer('dies-at-start') } });

  test('a comma too many in mcp.json is shown with its line and column, and the servers go on running', async ({
    app,
  }) => {
    const { page } = app;
    await page.getByRole('button', { name: 'Servers', exact: true }).click();
    const steady = page.getByRole('list', { name: 'Servers' }).getByRole('button', { name: /^steady/ });
    await expect(steady).toContainText('Ready');
    const broken = '{\n  "mcpServers": {\n    "a": { "command": "x" },,\n  }\n}\n';
    await writeFile(join(app.data, 'mcp.json'), broken);
    await expect(page.getByText(/mcp\.json.*Line 3, column 29/)).toBeVisible();
    await expect(steady).toContainText('Ready');
    await app.killAndRestart();
    await page.getByRole('button', { name: 'Servers', exact: true }).click();
    await expect(page.getByText(/mcp\.json.*Line 3, column 29/)).toBeVisible();
    const bundled = page.getByRole('list', { name: 'Servers' }).getByRole('button', { name: /^vault/ });
    await expect(bundled).toContainText('Ready');
    await writeFile(
      join(app.data, 'mcp.json'),
      JSON.stringify({ mcpServers: { steady: testServer('modern') } }),
    );
    await expect(steady).toContainText('Ready');
    await expect(page.getByText(/Line 3/)).toHaveCount(0);
    await restIsUsable(app);
  });

  test('a server that dies at start says why, with its last words', async ({ app }) => {
    const { page } = app;
    await page.getByRole('button', { name: 'Servers', exact: true }).click();
    await page.getByRole('list', { name: 'Servers' }).getByRole('button', { name: /^dead/ }).click();
    const detail = page.getByRole('article', { name: 'dead' });
    await expect(detail.getByRole('status')).toContainText('ended with code 3');
    await expect(detail.getByRole('status')).toContainText('no key in the environment');
    await expect(detail).not.toContainText('sk-abcdefghijklmnop');
    const steady = page.getByRole('list', { name: 'Servers' }).getByRole('button', { name: /^steady/ });
    await expect(steady).toContainText('Ready');
    await restIsUsable(app);
  });
});

test.describe('providers', () => {
  test('a wrong key is said in the note, with the way to the settings', async ({ app, provider }) => {
    const { page } = app;
    provider.answer({
      status: 401,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ error: { message: 'Incorrect API key provided.', code: 'invalid_api_key' } }),
    });
    await app.openNote('Talk');
    await ask(page);
    const card = page.getByRole('note');
    await expect(card).toContainText('No answer');
    await expect(card).toContainText(/key/);
    await card.getByRole('button', { name: 'Open provider settings' }).click();
    await expect(
      page.getByRole('dialog', { name: 'Settings' }).getByRole('heading', { name: 'Providers', exact: true }),
    ).toBeVisible();
    await page.keyboard.press('Escape');
    await restIsUsable(app);
  });

  test('a stream that is cut keeps its text and says so; asking again works', async ({ app, provider }) => {
    const { page } = app;
    const body = spoken('The first half ', 'of a sentence ', 'that never', ' ends.');
    provider.answer({ body, cutAt: body.indexOf(' ends.') }, { body: spoken('A whole answer.') });
    await app.openNote('Talk');
    await ask(page);
    const card = page.getByRole('note');
    await expect(card).toContainText('The answer broke off');
    await expect(page.locator('.cm-content')).toContainText('The first half of a sentence that never');
    await card.getByRole('button', { name: 'Ask again' }).click();
    await expect(page.locator('.cm-content')).toContainText('A whole answer.');
    await expect.poll(() => app.readNote('Talk.md')).toContain('A whole answer.');
    await restIsUsable(app);
  });
});

test.describe('notes', () => {
  test('a read-only note is shown as such and takes no text', async ({ app }) => {
    const { page } = app;
    await app.writeNote('Locked.md', 'Not to be changed.\n');
    await chmod(join(app.vault, 'Locked.md'), 0o444);
    await app.openNote('Locked');
    await expect(page.locator('.note-save')).toHaveText('Read only');
    await page.locator('.cm-content').click();
    await page.keyboard.type('No.');
    await expect(page.locator('.cm-content')).toHaveText('Not to be changed.');
    expect(await app.readNote('Locked.md')).toBe('Not to be changed.\n');
    await restIsUsable(app);
  });

  test('a note that becomes read-only keeps what is typed, says so, and is saved when it may be', async ({
    app,
  }) => {
    const { page } = app;
    await app.openNote('Talk');
    await page.locator('.cm-content').click();
    await page.keyboard.press('ControlOrMeta+End');
    // Typed, but not saved yet when it may not be written any more.
    await page.keyboard.insertText('Typed in vain?');
    await chmod(join(app.vault, 'Talk.md'), 0o444);
    await expect(page.locator('.note-save')).toHaveText('Not saved');
    await expect(page.getByText('is read-only or not permitted')).toContainText('kept');
    expect(await app.readNote('Talk.md')).toBe('#User : Hello?\n');
    await chmod(join(app.vault, 'Talk.md'), 0o644);
    await expect.poll(() => app.readNote('Talk.md'), { timeout: 40_000 }).toContain('Typed in vain?');
    await restIsUsable(app);
  });

  test('a note deleted on disk is said to be, and is written again only on request', async ({ app }) => {
    const { page } = app;
    await app.openNote('Talk');
    await page.locator('.cm-content').click();
    await rm(join(app.vault, 'Talk.md'));
    await expect(page.locator('.note-save')).toHaveText('Deleted on disk');
    await page.keyboard.press('ControlOrMeta+End');
    await page.keyboard.insertText('Typed after.');
    await restIsUsable(app);
    await page.getByRole('tab', { name: /Talk/ }).click();
    await expect(page.locator('.cm-content')).toContainText('Typed after.');
    await page.getByRole('button', { name: 'Write it again' }).click();
    await expect.poll(() => app.readNote('Talk.md')).toContain('Typed after.');
  });

  test('a note that is no text, and one of 100 MB, say why they are not opened', async ({ app }) => {
    const { page } = app;
    await writeFile(join(app.vault, 'Latin.md'), Buffer.from([0x47, 0x72, 0xfc, 0xdf, 0x65]));
    await writeFile(join(app.vault, 'Huge.md'), 'Begin\n');
    await truncate(join(app.vault, 'Huge.md'), 100 * 1024 * 1024 + 1);
    await page.getByRole('treeitem', { name: 'Latin', exact: true }).click();
    await expect(page.getByText('“Latin.md” is not UTF-8 text.')).toBeVisible();
    await expect(page.getByText('This note cannot be shown')).toBeVisible();
    await expect(page.locator('.cm-content')).toBeHidden();
    await restIsUsable(app);
    await page.getByRole('treeitem', { name: 'Huge', exact: true }).click();
    await expect(page.getByText(/“Huge.md” is too large/)).toBeVisible();
    await restIsUsable(app);
  });

  test('an answer is not asked for over front matter that cannot be read; the note says why', async ({
    app,
    provider,
  }) => {
    const { page } = app;
    provider.answer({ body: spoken('An answer.') });
    await app.writeNote('Front.md', '---\nmodel: [unclosed\n---\n\n#User : Hello?\n');
    await app.openNote('Front');
    await ask(page);
    await expect(page.getByText('The properties at the top of this note cannot be read.')).toBeVisible();
    expect(provider.requests).toEqual([]);
    await app.writeNote('Front.md', '---\nmodel: m\n---\n\n#User : Hello?\n');
    await expect(page.locator('.cm-content')).not.toContainText('unclosed');
    await ask(page);
    await expect(page.locator('.cm-content')).toContainText('An answer.');
    await restIsUsable(app);
  });
});

test.describe('the vault', () => {
  test('a path outside the vault is refused, whoever asks', async ({ app }) => {
    const { page } = app;
    await writeFile(join(app.vault, '../secret.md'), 'canary');
    const paths = [
      '../secret.md',
      'a/../../secret.md',
      join(app.vault, '../secret.md'),
      '..\\secret.md',
      '%2e%2e/secret.md',
    ];
    // The page's own socket: nobody else is let in.
    await page.addInitScript(() => {
      const Native = WebSocket;
      globalThis.WebSocket = class extends Native {
        constructor(...words: ConstructorParameters<typeof WebSocket>) {
          super(...words);
          Object.assign(globalThis, { pageSocket: this });
        }
      };
    });
    await page.reload();
    await page.locator('.status-bar').waitFor();
    const answers = await page.evaluate(async (wanted) => {
      const socket = Reflect.get(globalThis, 'pageSocket') as WebSocket;
      const first = 1_000_000;
      const answers: Record<string, unknown>[] = [];
      await new Promise<void>((resolve) => {
        socket.addEventListener('message', ({ data }) => {
          const frames: { t: string; id?: number }[] = [JSON.parse(data)].flat();
          answers.push(...frames.filter(({ id = 0 }) => id >= first));
          if (answers.length === wanted.length) resolve();
        });
        wanted.forEach((path, index) => {
          socket.send(JSON.stringify({ t: 'call', id: first + index, op: 'vault.read', input: { path } }));
        });
      });
      return answers;
    }, paths);
    expect(JSON.stringify(answers)).not.toContain('canary');
    for (const answer of answers)
      expect(answer).toMatchObject({
        t: 'error',
        error: { code: expect.stringMatching(/^(vault\.outside|vault\.not-found|request\.invalid)$/) },
      });
    expect(answers[0]).toMatchObject({ error: { code: 'vault.outside' } });
    await restIsUsable(app);
  });

  test('a vault whose folder goes away is said to be lost; back again, nothing typed is missing', async ({
    app,
  }) => {
    const { page, vault } = app;
    await app.openNote('Talk');
    await page.locator('.cm-content').click();
    await page.keyboard.press('ControlOrMeta+End');
    // Typed, but not saved yet when the folder goes.
    await page.keyboard.insertText('Typed while it was away.');
    await rename(vault, `${vault}-away`);
    await expect(page.getByText(/^The folder of “.+” is not there$/)).toBeVisible();
    await rename(`${vault}-away`, vault);
    await expect
      .poll(() => app.readNote('Talk.md'), { timeout: 30_000 })
      .toContain('Typed while it was away.');
    await restIsUsable(app);
  });

  test('another vault can be opened where one was removed', async ({ app }) => {
    const { page, vault } = app;
    await app.openNote('Talk');
    const other = `${vault}-other`;
    await mkdir(other);
    await writeFile(join(other, 'Other.md'), 'Elsewhere.\n');
    await rm(vault, { recursive: true });
    await expect(page.getByText(/cannot be reached/)).toBeVisible();
    await page.getByRole('button', { name: 'Close vault' }).click();
    await page.getByPlaceholder('/home/me/notes').fill(other);
    await page.keyboard.press('Enter');
    await page.getByRole('treeitem', { name: 'Other', exact: true }).click();
    await expect(page.locator('.cm-content')).toContainText('Elsewhere.');
  });
});
