import { expect, test } from 'vitest';
import type { Pins } from '../../trust';
import { bundledId } from './bundled';
import { listServers } from './listed-servers';

const file = (
  path: string,
  servers: Record<string, unknown>,
  bundled = {},
  problem: string | null = null,
) => ({
  path,
  content: () => ({ servers, bundled, problem }),
});

const program = { command: 'node' };
const agreedTo = (...names: string[]) =>
  ({
    isAgreed: ({ name }: { name: string }) => names.includes(name),
    agreedLines: () => null,
  }) as unknown as Pins;

const nothing = file('/data/mcp.json', {});
const list = (parts: Partial<Parameters<typeof listServers>[0]>) =>
  listServers({ user: nothing, vault: null, bundled: null, folder: null, ...parts });

test("the vault's server wins on the same name", () => {
  const { servers, problems } = list({
    user: file('/data/mcp.json', { files: program, own: program }),
    vault: { root: '/v', file: file('/v/mcp.json', { files: program }), pins: agreedTo('files') },
  });
  expect(servers.map(({ level, draft }) => `${level} ${draft.name}`)).toEqual(['user own', 'vault files']);
  expect(problems).toEqual([]);
});

test('a server of a vault waits without trust, and where it was not agreed to', () => {
  const servers = file('/v/mcp.json', { files: program });
  const untrusted = list({ vault: { root: '/v', file: servers, pins: null } });
  const unasked = list({ vault: { root: '/v', file: servers, pins: agreedTo() } });
  for (const { servers, problems } of [untrusted, unasked]) {
    expect(servers).toEqual([]);
    expect(problems).toMatchObject([{ kind: 'waits', level: 'vault', server: 'files' }]);
  }
});

test.each(['interlinear', ' Interlinear ', 'ｉnterlinear'])(
  'the app’s own name is no server’s, and no server’s id: %s',
  (name) => {
    const { servers, problems } = list({
      user: file('/data/mcp.json', { [name]: program, other: { ...program, id: name } }),
    });
    expect(servers.map(({ draft }) => draft.name)).toEqual(['other']);
    expect(servers[0]?.id).not.toBe(name);
    expect(problems).toMatchObject([{ kind: 'wrong', server: name }]);
  },
);

test('an id that another server has is not taken from a file', () => {
  const { servers } = list({
    user: file('/data/mcp.json', { a: { ...program, id: 'x' }, b: { ...program, id: 'x' } }),
  });
  expect(servers.map(({ id }) => id)[0]).toBe('x');
  expect(new Set(servers.map(({ id }) => id)).size).toBe(2);
});

test('of the bundled server a person changes what is theirs, and no other server has its name', () => {
  const { servers, problems } = list({
    user: file('/data/mcp.json', { vault: program }, { vault: { timeout: 5_000, command: 'other' } }),
    bundled: { name: 'vault', command: 'ours' },
    folder: '1:2',
  });
  expect(servers).toMatchObject([
    { id: bundledId, level: 'bundled', vault: '1:2', draft: { command: 'ours', timeout: 5_000 } },
  ]);
  expect(problems).toMatchObject([{ server: 'vault', message: expect.stringContaining('Rename this one') }]);
});

test('a wrong entry costs itself; a file that cannot be read is named', () => {
  const { servers, problems } = list({
    user: file('/data/mcp.json', { wrong: 5, own: program }, {}, 'It is no JSON.'),
  });
  expect(servers.map(({ draft }) => draft.name)).toEqual(['own']);
  expect(problems.map(({ server }) => server)).toEqual([null, 'wrong']);
});
