import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { filesOfProgram } from '../../src/core/mcp/sandbox/program-files';
import { isWithin } from '../../src/files';
import { node, shell, whyNoSandbox } from './sandbox-support';
import { folder, ours, world } from './setup';

const reason = whyNoSandbox();
if (reason !== null) process.stdout.write(`Skipped, no sandbox can be made here: ${reason}\n`);
const sandboxed = test.skipIf(reason !== null);

/** A home folder with keys, the app's data, a project with a vault in it, and a package that is installed. */
function computer() {
  const home = folder();
  const place = (path: string) => join(home, path);
  for (const path of ['.ssh', '.config/app', 'work/notes', 'lib/tool/src'])
    mkdirSync(place(path), { recursive: true });
  for (const path of [
    ...['.ssh/id', '.ssh/known_hosts', '.bash_history', '.config/app/settings.json', 'work/package.json'],
    ...[
      'work/.env',
      'lib/tool/package.json',
      'lib/tool/src/server.js',
      'work/notes/real.js',
      'work/notes/Diary.md',
    ],
  ])
    writeFileSync(place(path), '');
  const link = (to: string) => symlinkSync(place(to), place('work/notes/server.js'));
  const opened = (args: string[], changeable = [place('work/notes')]) =>
    filesOfProgram(
      {
        ...{ command: 'node', args, cwd: place('work/notes'), path: '/usr/bin', home },
        ...{ dataFolder: place('.config/app'), changeable },
      },
      '/usr/bin/node',
    ).filter((path) => isWithin(home, path));
  return { place, link, opened };
}

test.each([
  '.ssh/known_hosts',
  '.config/app/settings.json',
  '.bash_history',
  'work/.env',
  'lib/tool/src/server.js',
])('a script that is a link out of what the server can change, to %s, opens nothing', (to) => {
  const { link, opened } = computer();
  link(to);
  expect(opened(['server.js'])).toEqual([]);
});

test('nor does a link on the way to it', () => {
  const { place, opened } = computer();
  symlinkSync(place('lib/tool'), place('work/notes/tool'));
  expect(opened(['tool/src/server.js'])).toEqual([]);
});

test('a script in what the server can change opens itself alone, whatever package is said to lie above', () => {
  const { place, opened } = computer();
  expect(opened(['real.js'])).toEqual([place('work/notes/real.js')]);
});

test('a script that is installed elsewhere opens its package, but no home folder, key folder or data folder', () => {
  const { place, opened } = computer();
  expect(opened([place('lib/tool/src/server.js')]).sort()).toEqual([
    place('lib/tool'),
    place('lib/tool/src/server.js'),
  ]);
  for (const folder of ['', '.ssh', '.config/app']) {
    writeFileSync(join(place(folder), 'package.json'), '');
    writeFileSync(join(place(folder), 'run.js'), '');
    expect(opened([join(place(folder), 'run.js')])).toEqual([join(place(folder), 'run.js')]);
  }
});

sandboxed('what a vault’s entry names as certificates, or does not name at all, is closed', async () => {
  const keys = mkdtempSync(join(homedir(), '.il-keys-'));
  onTestFinished(() => rmSync(keys, { recursive: true, force: true }));
  writeFileSync(join(keys, 'id'), 'a-secret');
  const env = { SSL_CERT_DIR: keys, NODE_EXTRA_CA_CERTS: join(keys, 'id') };
  const { mcp, vault } = await world(
    {},
    {
      vaultServers: {
        certified: { ...ours('runs-anything'), env },
        narrow: { ...ours('runs-anything'), sandbox: { read: [], write: [] } },
      },
    },
  );
  writeFileSync(join(vault, 'Diary.md'), 'dear diary');
  expect(await shell(mcp, 'certified', `cat ${keys}/id`)).not.toContain('a-secret');
  expect(await shell(mcp, 'certified', `cat ${vault}/Diary.md`)).toContain('dear diary');
  expect(await shell(mcp, 'narrow', `cat ${vault}/Diary.md`)).not.toContain('dear diary');
});

sandboxed.each(['read', 'write', 'cwd'] as const)(
  'a folder of a vault’s entry that is a link out of the vault, or becomes one once it was agreed to, is not opened: %s',
  async (key) => {
    const outside = mkdtempSync(join(homedir(), '.il-outside-'));
    onTestFinished(() => rmSync(outside, { recursive: true, force: true }));
    writeFileSync(join(outside, 'id'), 'a-secret');
    const entry = (folder: string) => ({
      ...ours('runs-anything'),
      ...(key === 'cwd' ? { cwd: `\${vault}/${folder}` } : { sandbox: { [key]: [`\${vault}/${folder}`] } }),
    });
    const { mcp, vault, server } = await world(
      {},
      {
        vaultServers: { now: entry('out'), later: entry('becomes') },
        prepare: async (root) => {
          symlinkSync(outside, join(root, 'out'));
          mkdirSync(join(root, 'becomes'));
          writeFileSync(join(root, 'becomes/mine'), 'mine');
        },
      },
    );
    const refused = /leads to “.*”, outside of the vault/;
    expect(await shell(mcp, 'later', `cat ${vault}/becomes/mine`)).toContain('mine');
    await expect(shell(mcp, 'now', `cat ${outside}/id`)).rejects.toThrow(refused);
    await mcp.stop(server('later').id);
    // What keeps a place in it for the sandbox may go a moment later than the server.
    await expect
      .poll(() => {
        rmSync(join(vault, 'becomes'), { recursive: true, force: true });
        symlinkSync(outside, join(vault, 'becomes'));
        return true;
      })
      .toBe(true);
    await expect(shell(mcp, 'later', `cat ${outside}/id`)).rejects.toThrow(refused);
  },
);

sandboxed('any host is any public host: none of so many names of this computer is reached', async () => {
  const { mcp } = await world({ net: { ...ours('runs-anything'), sandbox: { hosts: ['*'] } } });
  const heard: string[] = [];
  const canary = createServer((request, response) => {
    heard.push(request.headers.host ?? '');
    response.end('REACHED');
  });
  await new Promise<void>((resolve) => canary.listen(0, '0.0.0.0', resolve));
  onTestFinished(() => void canary.close());
  const { port } = canary.address() as { port: number };
  const names = [
    ...['localhost', 'localhost.', 'a.localhost', '127.0.0.1', '127.1', '0.0.0.0', '2130706433', '0x7f.1'],
    ...['[::1]', '[::ffff:127.0.0.1]', '169.254.169.254', '10.0.0.1'],
  ];
  const tried = await node(
    mcp,
    'net',
    `import net from 'node:net';
    const proxy = new URL(process.env.HTTP_PROXY);
    const basic = Buffer.from(decodeURIComponent(proxy.username) + ':' + proxy.password).toString('base64');
    const says = (line, host) => new Promise((done) => {
      const socket = net.connect(proxy.port, proxy.hostname, () =>
        socket.write(line + ' HTTP/1.1\\r\\nHost: ' + host + '\\r\\nProxy-Authorization: Basic ' + basic + '\\r\\n\\r\\n'));
      socket.on('data', (data) => { done(String(data).split('\\r\\n')[0]); socket.destroy(); });
      socket.on('error', (error) => done(error.code));
      socket.on('close', () => done('closed'));
      setTimeout(() => socket.destroy(), 2000);
    });
    for (const name of ${JSON.stringify(names)}) {
      const host = name + ':${port}';
      console.log(name, await says('GET http://' + host + '/', host), await says('CONNECT ' + host, host));
    }`,
  );
  expect(tried.trim().split('\n')).toHaveLength(names.length);
  expect(tried).not.toMatch(/ 200 |REACHED/);
  expect(heard).toEqual([]);
});
