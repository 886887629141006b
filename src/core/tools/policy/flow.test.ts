import { expect, test } from 'vitest';
import { catalogTool } from '../../../../tests/chat/support/scripted-mcp';
import type { ToolEntry } from '../../../contract/tools';
import type { Program } from '../../mcp';
import type { ReadSource } from '../request/call-context';
import { createSourceOf } from './call-source';
import { carriedBy, flowOf, joined, sourceOf, toolSource } from './flow';

const unknown = { reads: ['private', 'untrusted'], sends: true, by: 'nobody' };

test('a variable that could lead to another program leaves it unknown', () => {
  const program = { id: 'pypi:mcp-server-time', args: [], variables: ['UV_INDEX_URL'] };
  expect(flowOf(catalogTool({ name: 'get_current_time', flowRules: {}, program }))).toEqual(unknown);
});

const known = (id: string, name: string, args: string[] = []) =>
  catalogTool({ name, flowRules: {}, program: { id, args, variables: [] } satisfies Program });

test.each([
  ['bundled', 'read_docs', false],
  ['bundled', 'update_doc', false],
  ['bundled', 'constructor', true],
  ['pypi:mcp-server-time', 'get_current_time', false],
  ['pypi:mcp-server-time', 'send_time', true],
  ['pypi:mcp-server-fetch', 'fetch', true],
  ['npm:exa-mcp-server', 'web_search_exa', true],
  ['npm:@modelcontextprotocol/server-github', 'create_issue', true],
  ['npm:@modelcontextprotocol/server-github', 'get_issue', false],
])('of %s the tool %s: sends %s', (id, name, sends) => {
  expect(flowOf(known(id, name)).sends).toBe(sends);
});

test('files that are written send, unless all folders are the vault’s', () => {
  const id = 'npm:@modelcontextprotocol/server-filesystem';
  const written = (...args: string[]) => flowOf(known(id, 'write_file', args)).sends;
  expect(written(`\${vault}`)).toBe(false);
  expect(written(`\${vault}/drafts`)).toBe(false);
  expect([written(), written(`\${vault}`, '/shared'), written(`\${vault}/../shared`)]).toEqual([
    true,
    true,
    true,
  ]);
});

test('a claim makes a known tool stricter and an unknown one no looser', () => {
  const time = known('pypi:mcp-server-time', 'get_current_time');
  expect(flowOf({ ...time, annotations: { openWorld: true } }).sends).toBe(true);
  const stranger = catalogTool({ flowRules: {}, annotations: { readOnly: true, openWorld: false } });
  expect(flowOf(stranger)).toEqual(unknown);
});

test('what the person says holds for the tool that it was said of', () => {
  const flowRules = { find: { reads: [], sends: false, definition: 'aaaaaaaaaaaaaaaa' } };
  expect(flowOf(catalogTool({ flowRules }))).toEqual({ reads: [], sends: false, by: 'person' });
  expect(flowOf(catalogTool({ flowRules, definition: 'bbbbbbbbbbbbbbbbbbbb' }))).toEqual(unknown);
  expect(flowOf(catalogTool({ name: 'other', flowRules: { ...flowRules, '*': { sends: false } } }))).toEqual({
    ...unknown,
    sends: false,
    by: 'person',
  });
});

const fetch = known('pypi:mcp-server-fetch', 'fetch');
const page = sourceOf(fetch, { url: 'https://page.example/a' });
const note = { kind: 'note', name: 'Diary.md', places: [], reads: ['private'], account: null } as const;
const diary = { ...note, reads: [...note.reads], places: [] };

test('a call carries something only where both were read before it, and it sends', () => {
  const carried = (read: (typeof page)[], beside: (typeof page)[] = [], tool = fetch) =>
    carriedBy(tool, { url: 'https://page.example/b' }, { read, beside })?.map(({ name }) => name) ?? null;
  expect(carried([])).toBeNull();
  expect(carried([page])).toBeNull();
  expect(carried([diary])).toBeNull();
  expect(carried([diary, page])).toEqual(['Diary.md', page.name]);
  expect(carried([page], [diary])).toEqual(['Diary.md', page.name]);
  expect(carried([diary], [page])).toBeNull();
  expect(carried([diary, page], [], known('bundled', 'update_doc'))).toBeNull();
});

test('a tool that reads what is private by itself and sends is asked about as soon as a stranger’s text was read', () => {
  const shell = catalogTool({ name: 'run', serverName: 'shell', flowRules: {} });
  expect(carriedBy(shell, {}, { read: [page], beside: [] })).not.toBeNull();
  expect(carriedBy(shell, {}, { read: [], beside: [] })).toBeNull();
});

test('a server that only asks itself for its own is believed, and not where anything else was read', () => {
  const annotations = { readOnly: true, openWorld: false };
  const tracker = catalogTool({ account: 'tracker', name: 'show', flowRules: {}, annotations });
  const own = sourceOf(tracker, {});
  expect(carriedBy(tracker, {}, { read: [own], beside: [] })).toBeNull();
  expect(carriedBy(tracker, {}, { read: [own, diary], beside: [] })).not.toBeNull();
  expect(carriedBy(tracker, {}, { read: [{ ...own, account: null }], beside: [] })).not.toBeNull();
  const open = { ...tracker, annotations: { readOnly: true } };
  expect(carriedBy(open, {}, { read: [own], beside: [] })).not.toBeNull();
});

test('what a server says of its own tools makes a question of what else was read, not of what it has itself', () => {
  const shell = catalogTool({ account: 'shell', name: 'run', serverName: 'shell', flowRules: {} });
  const said = (account: string) => ({
    ...{ kind: 'instructions' as const, name: account, places: [], account },
    reads: ['untrusted' as const],
  });
  const read = (...sources: Parameters<typeof joined>[0]) =>
    carriedBy(shell, {}, { read: sources as ReadSource[], beside: [] });
  expect(read(said('shell'))).toBeNull();
  expect(read(said('shell'), sourceOf(shell, {}))).not.toBeNull();
  expect(read(said('shell'), diary)).not.toBeNull();
  expect(read(said('other'))).not.toBeNull();
  expect(read(said('shell'), said('other'))).not.toBeNull();
});

test.each([
  'http://localhost:3000/',
  'http://192.168.1.1/admin',
  'http://[::1]/',
  'http://2130706433/',
  'http://nas/',
  'http://wiki.corp/x',
])('what is fetched from this machine or its network is private: %s', (url) => {
  expect(toolSource('fetch', 'fetch', { url }, ['untrusted']).reads).toEqual(['untrusted', 'private']);
});

test('sources are told once, with the hosts and files that were asked for', () => {
  const read = toolSource('vault', 'read_docs', { paths: ['Diary.md', 'Plan.md'] }, ['private']);
  const more = toolSource('vault', 'read_docs', { paths: ['Diary.md', 'Old.md'] }, ['untrusted']);
  expect(joined([read, more])).toMatchObject([
    { tool: 'read_docs', places: ['Diary.md', 'Plan.md', 'Old.md'], reads: ['private', 'untrusted'] },
  ]);
  expect(page.places).toEqual(['page.example']);
});

test('what a call read is told by the tool that was meant, and by nothing where that is another one now', () => {
  const entry: ToolEntry = {
    ...{
      serverId: 'id',
      serverName: 'clock',
      name: 'now',
      modelName: 'clock__now',
      title: 'Now',
      description: '',
    },
    ...{
      inputSchema: {},
      outputSchema: null,
      annotations: {},
      definition: 'a'.repeat(64),
      tokens: 1,
      revision: '',
    },
    ...{ enabled: true, approval: 'allow', changed: false, grants: [], timeout: null },
    flow: { reads: [], sends: false, by: 'app' },
  };
  let all = [entry];
  const clock = catalogTool({
    ...{ serverName: 'clock', name: 'now', account: 'now', definition: entry.definition },
    flowRules: { now: { reads: [], sends: false } },
  });
  const sourceOfCall = createSourceOf({
    matching: () => all,
    find: (server, name) => (server === 'clock' && name === 'now' ? entry : undefined),
    byModelName: (name) => (name === 'clock__now' ? entry : undefined),
    catalogTool: () => clock,
    accounts: { holds: (_name, account, at) => account === 'now' && at >= 3 },
  });
  const read = (server: string, called: string, args: object, definition?: string | null, at = 3) =>
    sourceOfCall({
      server,
      tool: called,
      arguments: { ...args },
      ...(definition !== undefined && { made: { definition, at } }),
    });
  expect(read('clock', 'now', {})).toMatchObject({ name: 'clock', tool: 'now', reads: [], account: 'now' });
  expect(read('clock', 'now', {}, 'aaaaaaaaaaaa')).toMatchObject({ reads: [], account: 'now' });
  expect(read('clock', 'now', {}, 'aaaaaaaaaaaa', 2)).toMatchObject({ reads: [], account: null });
  for (const definition of [null, '', 'aaaa', 'bbbbbbbbbbbb'])
    expect(read('clock', 'now', {}, definition)).toMatchObject({ reads: unknown.reads, account: null });
  expect(read('gone', 'now', {})).toMatchObject({ name: 'gone', reads: unknown.reads });
  const inner = { tool: 'clock__now', arguments: { at: 'https://page.example/' } };
  expect(read('interlinear', 'call_tool', inner)).toMatchObject({
    tool: 'now',
    places: ['page.example'],
    reads: [],
  });
  expect(read('interlinear', 'find_tools', { query: 'now' })).toBeNull();
  expect(read('interlinear', 'find_tools', { query: 'now' }, null)).toBeNull();
  expect(read('interlinear', 'find_tools', {}, 'aaaaaaaaaaaa')).toMatchObject({ reads: unknown.reads });
  all = [
    entry,
    { ...entry, serverId: 'other', flow: { reads: ['private', 'untrusted'], sends: true, by: 'nobody' } },
  ];
  expect(read('interlinear', 'find_tools', { query: 'now' })).toMatchObject({ reads: ['untrusted'] });
  all = [entry, { ...entry, flow: { reads: ['private', 'untrusted'], sends: true, by: 'nobody' } }];
  expect(read('interlinear', 'find_tools', { query: 'now' })).toBeNull();
});
