import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { agentContribution, readAgentNote } from '../../src/core/agents';
import { createTrust } from '../../src/core/trust';
import { createVaultContents } from '../../src/core/vaults/vault-contents';
import { newNotes } from '../../src/renderer/features/settings/new-notes';

test.each([false, true])(
  'an agent that is made in the app asks for no consent (folder trusted: %s)',
  async (trusted) => {
    const root = realpathSync(mkdtempSync(join(tmpdir(), 'made-here-')));
    onTestFinished(() => rmSync(root, { recursive: true, force: true }));
    mkdirSync(join(root, '.interlinear/agents'), { recursive: true });
    const trust = createTrust(join(root, 'trust.json'), () => expect.unreachable());
    if (trusted) trust.setTrusted(root, true);
    const path = '.interlinear/agents/New agent.md';
    const write = (text: string) => writeFileSync(join(root, path), text);
    const things = () => createVaultContents(trust)(root);
    write(newNotes.agents);
    expect(await things()).toMatchObject([{ kind: 'agent', name: 'New agent', consent: { kind: 'new' } }]);
    trust.madeIn(root).write(agentContribution(readAgentNote(path, newNotes.agents)), null);
    expect(await things()).toMatchObject([{ consent: { kind: 'given' } }]);
    // The same agent once it may do more.
    write(newNotes.agents.replace('approval: ask', 'approval: allow'));
    expect(await things()).toMatchObject([{ consent: { kind: 'changed' } }]);
  },
);
