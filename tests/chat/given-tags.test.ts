import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createApp } from '../../src/core/app';
import { createNodeHost } from '../../src/node/host';
import { startOllamaServer } from '../ollama-server';
import { createMemorySecrets } from '../support/in-memory';
import { asAnswer } from './support/as-answer';

/** The real core, which finds an Ollama by itself. */
async function house(note: string) {
  const ollama = await startOllamaServer({ 'qwen3:4b': { contextLength: 40_960 } });
  const root = mkdtempSync(join(tmpdir(), 'given-tags-'));
  const [data, vault] = [join(root, 'data'), join(root, 'vault')];
  for (const folder of [data, vault]) mkdirSync(folder);
  writeFileSync(join(data, 'mcp.json'), JSON.stringify({ bundled: { vault: { enabled: false } } }));
  writeFileSync(join(vault, 'Talk.md'), note);
  const environment = {
    ...{ INTERLINEAR_DATA: data, PATH: process.env.PATH ?? '' },
    OLLAMA_HOST: ollama.url,
  };
  const host = await createNodeHost({ appRoot: root, version: '1', environment });
  const app = await createApp({ ...host, secrets: createMemorySecrets() });
  onTestFinished(async () => {
    await app.close();
    await ollama[Symbol.asyncDispose]();
    rmSync(root, { recursive: true, force: true });
  });
  await app.openVault(vault);
  await expect.poll(() => app.providers.list.get().map(({ tag }) => tag)).toContain('Ollama');
  const { session, release } = await app.notes.hold('Talk.md');
  onTestFinished(release);
  return {
    session,
    /** Another of the same vendor, in whose favour the one that was found goes away. */
    async configure() {
      const mine = { vendor: 'ollama', tag: 'Mine', model: 'qwen3:4b', baseUrl: ollama.url };
      await app.providers.save(mine, undefined);
      expect(app.providers.list.get().map(({ tag }) => tag)).not.toContain('Ollama');
    },
    /** The roles and words that are sent. */
    async ask(more = '') {
      const end = session.text().trimEnd().length;
      session.edit('window', { from: end, to: session.text().length, insert: more });
      const at = session.text().length;
      const { finished } = await app.chat.run({ path: 'Talk.md', at, version: session.version });
      expect(asAnswer(await finished).phase).toMatchObject({ kind: 'finished' });
      const { messages } = ollama.bodies.findLast((body) => 'messages' in body) ?? {};
      return (messages as { role: string; content: string }[]).map(({ role, content }) => [role, content]);
    },
  };
}

test('what a model said that was found by itself stays its own when another one is configured', async () => {
  const { ask, configure, session } = await house('#User : What colour is the sky?');
  await ask();
  expect(session.text()).toContain('#Ollama : Good.');
  await configure();
  expect(await ask(' And the sea?')).toEqual([
    ['user', 'What colour is the sky?'],
    ['assistant', 'Good.'],
    ['user', 'And the sea?'],
  ]);
});

test.each(['Ollama', 'OpenAI', 'OpenAI2', 'Claude', 'claude/fast'])(
  'an answer under #%s that nobody remembers is an answer',
  async (tag) => {
    const note = `#User : a\n\n#${tag} : said by a model\n\n#User : #Grok is what?`;
    const { ask, configure } = await house(note);
    await configure();
    expect(await ask()).toEqual([
      ['user', 'a'],
      ['assistant', 'said by a model'],
      ['user', '#Grok is what?'],
    ]);
  },
);
