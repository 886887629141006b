import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
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
    const write = (text: string) => writeFileSync(join(root, '.interlinear/agents/New agent.md'), text);
    const asked = async () =>
      (await createVaultContents(trust)(root)).filter(({ lines }) => lines.length > 0);
    write(newNotes.agents);
    expect(await asked()).toEqual([]);
    // The same agent once it may do more.
    write(newNotes.agents.replace('approval: ask', 'approval: allow'));
    expect(await asked()).toMatchObject([{ kind: 'agent', name: 'New agent', consent: { kind: 'new' } }]);
  },
);
