import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { createVaultServer } from '../../src/vault-server';
import { type Built, built } from '../support/built';
import { putNote } from './vault-for-each';

let server: Built;
let vault: string;
const closing: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  server = await built('src/vault-server/cli.ts', { whole: true });
});
afterAll(() => server.remove());

beforeEach(async () => {
  vault = await mkdtemp(join(tmpdir(), 'vault-'));
  await put(
    'Projects/milestones/M-001 Ship.md',
    '---\nid: M-001\ntype: milestone\ntitle: Ship\nworkstream: sea\n---\n\nBody\n',
  );
  await put('Notes/Day one ä.md', '# Day\n');
});

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
  await rm(vault, { recursive: true, force: true });
});

const put = (path: string, text: string) => putNote(vault, path, text);

const eras = { older: undefined, newer: { mode: { pin: '2026-07-28' } } } as const;

async function connect(wire: 'stdio' | 'http', era: keyof typeof eras): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: eras[era] });
  closing.push(() => client.close());
  if (wire === 'stdio') {
    await client.connect(
      new StdioClientTransport({ command: process.execPath, args: [server.file, vault], stderr: 'inherit' }),
    );
  } else {
    const token = 'of this test';
    const http = await createVaultServer({
      root: vault,
      version: '1',
      report: (error) => {
        throw error;
      },
    }).listen({ host: '127.0.0.1', port: 0, token });
    closing.push(http.close);
    await client.connect(
      new StreamableHTTPClientTransport(new URL(http.url), {
        requestInit: { headers: { authorization: `Bearer ${token}` } },
      }),
    );
  }
  return client;
}

const ways = [
  ['stdio', 'older'],
  ['stdio', 'newer'],
  ['http', 'older'],
  ['http', 'newer'],
] as const;

test.each(ways)(
  'over %s, %s protocol: notes and entities are resources, prompts have completed arguments',
  async (wire, era) => {
    const client = await connect(wire, era);
    const { resources } = await client.listResources();
    expect(resources.map(({ uri, title }) => [uri, title])).toEqual([
      ['vault:///Notes/Day%20one%20%C3%A4.md', 'Day'],
      ['vault:///Projects/milestones/M-001%20Ship.md', 'Ship'],
    ]);
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates.map((each) => each.uriTemplate)).toEqual(['vault:///{+path}', 'entity:///{id}']);
    const note = await client.readResource({ uri: resources[0]!.uri });
    expect(note.contents[0]).toMatchObject({ text: '# Day\n', mimeType: 'text/markdown' });
    const entity = await client.readResource({ uri: 'entity:///m-1' });
    expect(JSON.parse((entity.contents[0] as { text: string }).text)).toMatchObject({
      id: 'M-001',
      body: 'Body',
    });
    for (const uri of [
      'vault:///none.md',
      'vault:///../x.md',
      'vault:///%2e%2e/x.md',
      'entity:///M-9',
      'other:///x',
      'vault:///%',
    ]) {
      await expect(client.readResource({ uri }), uri).rejects.toMatchObject({
        code: expect.any(Number) as number,
      });
    }

    const { prompts } = await client.listPrompts();
    expect(prompts.map((prompt) => prompt.name)).toEqual([
      'plan_milestone',
      'weekly_review',
      'record_decision',
    ]);
    const prompt = await client.getPrompt({
      name: 'record_decision',
      arguments: { topic: 'paper', workstream: 'sea' },
    });
    expect((prompt.messages[0]!.content as { text: string }).text).toContain(
      'Record a decision on: paper in workstream sea',
    );
    const complete = async (name: string, value: string): Promise<string[]> =>
      (
        await client.complete({
          ref: { type: 'ref/prompt', name: 'plan_milestone' },
          argument: { name, value },
        })
      ).completion.values;
    expect(await complete('workstream', 's')).toEqual(['sea']);
    expect(await complete('milestone_id', 'm')).toEqual(['M-001']);
    expect(
      (
        await client.complete({
          ref: { type: 'ref/resource', uri: 'vault:///{+path}' },
          argument: { name: 'path', value: 'day' },
        })
      ).completion.values,
    ).toEqual(['Notes/Day one ä.md']);
  },
);

test('resources come page by page', async () => {
  for (let index = 0; index < 450; index++) await put(`Many/${String(index).padStart(3, '0')}.md`, 'x');
  const client = await connect('http', 'newer');
  const uris: string[] = [];
  let cursor: string | undefined;
  let pages = 0;
  do {
    const page: { resources: { uri: string }[]; nextCursor?: string | undefined } =
      await client.listResources(cursor ? { cursor } : {});
    uris.push(...page.resources.map((each) => each.uri));
    cursor = page.nextCursor;
    pages++;
  } while (cursor !== undefined && pages < 10);
  expect(new Set(uris).size).toBe(452);
});

test('a client of the older protocol is told of the notes that it subscribed to, and of no others', async () => {
  const client = await connect('stdio', 'older');
  const told: string[] = [];
  const heard = new Promise<void>((resolve) => {
    client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
      told.push(params.uri);
      resolve();
    });
  });
  await client.subscribeResource({ uri: 'entity:///M-001' });
  await client.callTool({ name: 'get_project_overview', arguments: {} });
  await put('Notes/Day one ä.md', 'changed');
  await put('Projects/milestones/M-001 Ship.md', '---\nid: M-001\ntype: milestone\ntitle: Sail\n---\n');
  await client.callTool({ name: 'list_files', arguments: {} });
  await heard;
  expect(new Set(told)).toEqual(new Set(['entity:///M-001']));
});

test.each(['stdio', 'http'] as const)(
  'over %s a client of the newer protocol hears of changes without asking',
  async (wire) => {
    const client = await connect(wire, 'newer');
    await client.callTool({ name: 'get_project_overview', arguments: {} });
    const uri = 'vault:///Projects/milestones/M-001%20Ship.md';
    const heard = new Promise<string>((resolve) => {
      client.setNotificationHandler('notifications/resources/updated', ({ params }) => resolve(params.uri));
    });
    const listed = new Promise<void>((resolve) => {
      client.setNotificationHandler('notifications/resources/list_changed', () => resolve());
    });
    const subscription = await client.listen({ resourceSubscriptions: [uri], resourcesListChanged: true });
    await put('Projects/milestones/M-001 Ship.md', '---\nid: M-001\ntype: milestone\ntitle: Sail\n---\n');
    expect(await heard).toBe(uri);
    await put('Notes/New.md', 'new');
    await listed;
    await subscription.close();
  },
);
