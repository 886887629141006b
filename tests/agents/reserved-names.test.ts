import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createAgents } from '../../src/core/agents';
import { createVault } from '../../src/core/vault';
import { allAgreed, hostIn } from '../mcp/setup';
import { createMemorySettings } from '../support/in-memory';

test('an agent called like a person is listed with what is wrong, and asked by nobody', async () => {
  const root = mkdtempSync(join(tmpdir(), 'agents-'));
  const folder = join(root, '.interlinear', 'agents');
  mkdirSync(folder, { recursive: true });
  for (const name of ['User', 'Poet', 'Local', 'demo']) writeFileSync(join(folder, `${name}.md`), 'Be kind.');
  const { log, clock, moveToTrash } = hostIn(root);
  const vault = createVault({ log, clock, trust: { isTrusted: () => true }, moveToTrash });
  const settings = createMemorySettings();
  settings.change({ providers: [{ id: 'p', vendor: 'ollama', tag: 'local', model: 'm' }] });
  const agents = createAgents({ vault, clock, pins: () => allAgreed, settings, log });
  onTestFinished(async () => {
    await agents.close();
    await vault.close();
    rmSync(root, { recursive: true, force: true });
  });
  await vault.open(root);
  await agents.settled();

  expect(agents.find('User')).toBeUndefined();
  expect(agents.find('Poet')).toMatchObject({ tag: 'Poet', problem: null });
  expect(agents.list.get()).toContainEqual(
    expect.objectContaining({ name: 'User', tag: null, problem: expect.stringContaining('#User') }),
  );

  // Of two that would answer under one tag it is the provider.
  for (const name of ['Local', 'demo']) {
    expect(agents.find(name)).toBeUndefined();
    expect(agents.list.get()).toContainEqual(
      expect.objectContaining({ name, tag: null, problem: expect.stringContaining(`#${name}`) }),
    );
  }

  settings.change({ tags: { user: ['Poet'] } });
  expect(agents.find('User')).toMatchObject({ tag: 'User' });
  expect(agents.find('Poet')).toBeUndefined();
});

test('an agent of a folder that is not trusted is listed with the reason, and asked by nobody', async () => {
  const root = mkdtempSync(join(tmpdir(), 'agents-'));
  mkdirSync(join(root, '.interlinear', 'agents'), { recursive: true });
  writeFileSync(join(root, '.interlinear/agents/Poet.md'), 'Be kind.');
  const { log, clock, moveToTrash } = hostIn(root);
  const vault = createVault({ log, clock, trust: { isTrusted: () => false }, moveToTrash });
  const agents = createAgents({ vault, clock, pins: () => allAgreed, settings: createMemorySettings(), log });
  onTestFinished(async () => {
    await agents.close();
    await vault.close();
    rmSync(root, { recursive: true, force: true });
  });
  await vault.open(root);
  await agents.settled();
  const path = '.interlinear/agents/Poet.md';
  const problem = expect.stringContaining('Not trusted yet');
  expect(agents.list.get()).toMatchObject([{ name: 'Poet', path, tag: null, problem }]);
  expect(agents.find('Poet')).toBeUndefined();
});
