import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { vaultForEach } from '../vault-server/vault-for-each';

const { call, put, root } = vaultForEach();
const path = 'Projects/tasks/T-001 T.md';
const note = (count: number) => {
  // What shrinks is waited for.
  const words = `count ${String(count).padStart(6, '0')}`;
  return `---\nid: T-001\ntype: task\ntitle: T\ngoal: ${words}\n---\n\n${words}\n`;
};

test('fields and body that are handed out together are of one text, whatever another program writes meanwhile', async () => {
  await put(path, note(0));
  // What is being written when a vault is first read is waited for.
  await call('get_entity', { id: 'T-001' });
  let count = 0;
  let isWriting = true;
  const program = (async () => {
    while (isWriting) {
      const place = join(root(), path);
      writeFileSync(`${place}~`, note(++count));
      renameSync(`${place}~`, place);
      await new Promise((resolve) => setTimeout(resolve, count % 7));
    }
  })();
  let whole = 0;
  for (let each = 0; each < 150; each++) {
    const { entity, code } = await call('get_entity', { id: 'T-001', fields: ['goal', 'body'] });
    // Who writes without a pause may be told so.
    if (!entity) expect(code).toBe('conflict');
    else {
      expect(entity.body).toBe(entity.goal);
      whole++;
    }
  }
  isWriting = false;
  await program;
  expect(count).toBeGreaterThan(0);
  expect(whole).toBeGreaterThan(0);
});

test('a note whose bytes are not those of its words is handed out as any other', async () => {
  const head = '---\nid: T-001\ntype: task\ntitle: T\n---\n\n';
  const bodies = [
    Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from(`${head}with a mark`)]),
    Buffer.from(`${head}with ends`.replaceAll('\n', '\r\n')),
  ];
  for (const bytes of bodies) {
    await put(path, bytes);
    const answer = await call('get_entity', { id: 'T-001', fields: ['title', 'body'] });
    expect(answer).toMatchObject({ entity: { title: 'T', body: expect.stringMatching(/^with/) } });
  }
});
