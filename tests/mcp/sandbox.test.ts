import { spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createNetServer } from 'node:net';
import { homedir, networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createMcp } from '../../src/core/mcp';
import { ownPrograms } from '../support/test-programs';
import { node, shell, whyNoSandbox } from './sandbox-support';
import {
  call,
  filesystem,
  folder,
  hostIn,
  isAlive,
  keeperProgram,
  memory,
  ours,
  packedHost,
  world,
} from './setup';

const reason = whyNoSandbox();
if (reason !== null) process.stdout.write(`Skipped, no sandbox can be made here: ${reason}\n`);
const sandboxed = test.skipIf(reason !== null);

const secret = 'a-secret-that-nobody-may-read';

/** What lies around a server, and what happens when it gets out. */
async function surroundings() {
  process.env.IL_OF_THE_APP = secret;
  onTestFinished(() => void delete process.env.IL_OF_THE_APP);
  const home = mkdtempSync(join(homedir(), '.il-sandbox-test-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const outside = folder();
  for (const place of [home, outside]) writeFileSync(join(place, 'id'), secret);
  const prey = spawn('sleep', ['60'], { env: { IL_OF_THE_APP: secret } });
  onTestFinished(() => void prey.kill('SIGKILL'));
  const heard: string[] = [];
  const web = createServer((_request, response) => {
    heard.push('http');
    response.end(secret);
  });
  await new Promise<void>((resolve) => web.listen(0, '0.0.0.0', resolve));
  onTestFinished(() => void web.close());
  const { port } = web.address() as { port: number };
  const ofMachine = Object.values(networkInterfaces())
    .flat()
    .find((one) => one?.family === 'IPv4' && !one.internal)?.address;
  const datagrams = createSocket('udp4', () => heard.push('udp'));
  await new Promise<void>((resolve) => datagrams.bind(0, '127.0.0.1', resolve));
  onTestFinished(() => void datagrams.close());
  return {
    home,
    outside,
    prey,
    heard,
    port,
    udp: datagrams.address().port,
    ofMachine: ofMachine ?? '127.0.0.1',
  };
}

/** Connects to a proxy as its variables say, and says the first line of the answer. */
const throughProxy = (request: string, credentials = true) => `
  import net from 'node:net';
  const proxy = new URL(process.env.HTTP_PROXY);
  const basic = Buffer.from(decodeURIComponent(proxy.username) + ':' + proxy.password).toString('base64');
  const socket = net.connect(proxy.port, proxy.hostname, () =>
    socket.write(${JSON.stringify(request)}.replace('\\r\\n\\r\\n', '\\r\\n'${
      credentials ? " + 'Proxy-Authorization: Basic ' + basic + '\\r\\n\\r\\n'" : " + '\\r\\n'"
    })));
  socket.on('data', (data) => { console.log(String(data)); socket.destroy(); });
  socket.on('error', (error) => console.log(error.code));
  setTimeout(() => process.exit(), 5000).unref();`;

const connect = (host: string, port: number | string) => `
  import net from 'node:net';
  const socket = net.connect(${typeof port === 'number' ? port : JSON.stringify(port)}${host && `, '${host}'`}, () => {
    console.log('CONNECTED'); process.exit(); });
  socket.on('error', (error) => { console.log(error.code); process.exit(); });
  setTimeout(() => process.exit(), 4000);`;

sandboxed('none of so many ways leads out of the sandbox of a server that a vault brings', async () => {
  const { home, outside, prey, heard, port, udp, ofMachine } = await surroundings();
  const { mcp, vault, data } = await world(
    {},
    {
      vaultServers: { escape: ours('runs-anything') },
      prepare: async (root) => {
        mkdirSync(join(root, '.obsidian'));
        mkdirSync(join(root, 'project/.git/hooks'), { recursive: true });
        writeFileSync(join(root, 'project/.git/config'), '');
        writeFileSync(join(root, 'note.md'), 'mine');
        writeFileSync(join(root, '.envrc'), '');
      },
    },
  );
  mkdirSync(join(data, 'browsers/invitations'), { recursive: true });
  for (const path of ['keys.json', 'browsers/invitations/one.html']) writeFileSync(join(data, path), secret);
  const unix = createNetServer(() => heard.push('unix'));
  await new Promise<void>((resolve) => unix.listen(join(vault, 'socket'), resolve));
  const abstract = createNetServer(() => heard.push('abstract'));
  await new Promise<void>((resolve) => abstract.listen(`\0il-${process.pid}`, resolve));
  onTestFinished(() => {
    unix.close();
    abstract.close();
  });
  const inShell = (script: string) => shell(mcp, 'escape', script);
  const inNode = (script: string) => node(mcp, 'escape', script);
  const reads = async (path: string) => (await inShell(`cat ${path}`)).includes(secret);
  const writes = async (script: string, path: string) => {
    await inShell(script);
    return existsSync(path);
  };
  const says = async (script: string, word: string | RegExp) => {
    const words = await inNode(script);
    return typeof word === 'string' ? words.includes(word) : word.test(words);
  };
  const python = (script: string) => `python3 -c ${JSON.stringify(script)}`;

  /** What has to stay as it is, and by which way it is tried; true: it was got at. */
  const escapes: Record<string, () => Promise<boolean>> = {
    'write outside': () => writes(`echo x > ${outside}/written`, join(outside, 'written')),
    'write through a link': () =>
      writes(`ln -s ${outside} way; echo x > way/linked; rm -f way`, join(outside, 'linked')),
    'write by renaming': () => writes(`echo x > moved; mv moved ${outside}/moved`, join(outside, 'moved')),
    'write by a hard link': async () =>
      (await inShell(`ln ${outside}/id hard && cat hard`)).includes(secret) ||
      existsSync(join(vault, 'hard')),
    'write into the system': () => writes('echo x > /usr/il-written', '/usr/il-written'),
    'write into the temporary folder': () =>
      writes(`echo x > ${tmpdir()}/il-written; echo x > /tmp/il-written`, '/tmp/il-written'),
    'write into the program’s own files': () =>
      writes(
        `echo x > ${join(process.cwd(), 'tests/servers/il-written')}`,
        join(process.cwd(), 'tests/servers/il-written'),
      ),
    'read in the home folder': () => reads(join(home, 'id')),
    'read in another vault': () => reads(join(outside, 'id')),
    'read by .. and links': async () =>
      (await inShell(`ln -s ${outside}/id here; cat here ../*/id; rm here`)).includes(secret),
    'read through a process': () => reads(`/proc/1/root${outside}/id /proc/*/root${outside}/id`),
    'read passwords': async () => (await inShell('cat /etc/shadow')).includes('root:'),
    'read the app’s keys': () => reads(join(data, 'keys.json')),
    'read the app’s servers': async () => (await inShell(`cat ${data}/mcp.json`)).includes('mcpServers'),
    'read an invitation': () => reads(join(data, 'browsers/invitations/one.html')),
    'read another server’s folder': async () => {
      mkdirSync(join(data, 'sandboxes/other'), { recursive: true });
      writeFileSync(join(data, 'sandboxes/other/id'), secret);
      return reads(join(data, 'sandboxes/other/id'));
    },
    'read the app’s environment by its process': () =>
      reads(`/proc/${process.pid}/environ /proc/${prey.pid}/environ /proc/*/environ`),
    'read the app’s environment by its own': async () => (await inShell('env; export -p')).includes(secret),
    'open files that were left open': async () =>
      (await inShell('for fd in /proc/self/fd/*; do readlink $fd; done')).includes(data),
    'reach a port of this computer': () => says(connect('127.0.0.1', port), 'CONNECTED'),
    'reach a port by the computer’s address': () => says(connect(ofMachine, port), 'CONNECTED'),
    'reach a port by the proxy': () =>
      says(throughProxy(`CONNECT 127.0.0.1:${port} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`), / 200 /),
    'reach a port by the proxy under another host': () =>
      says(throughProxy(`GET http://127.0.0.1:${port}/ HTTP/1.1\r\nHost: example.org\r\n\r\n`), secret),
    'reach a host by the proxy': () =>
      says(throughProxy('CONNECT example.org:443 HTTP/1.1\r\nHost: example.org\r\n\r\n'), / 200 /),
    'use the proxy without its key': () =>
      says(throughProxy('CONNECT example.org:443 HTTP/1.1\r\nHost: x\r\n\r\n', false), / 200 /),
    'reach a number of the internet': () => says(connect('1.1.1.1', 443), 'CONNECTED'),
    'send a datagram': async () => {
      await inNode(`import d from 'node:dgram'; const s = d.createSocket('udp4');
        s.send('x', ${udp}, '127.0.0.1', () => s.close());`);
      return heard.includes('udp');
    },
    'ask for a name': () =>
      says(
        `import d from 'node:dns'; d.lookup('example.org', (e, a) => console.log(e ? e.code : 'NAMED ' + a));`,
        'NAMED',
      ),
    'reach a Unix socket': async () => {
      await inNode(connect('', join(vault, 'socket')));
      return heard.includes('unix');
    },
    'reach an abstract socket': async () => {
      await inNode(connect('', `\0il-${process.pid}`));
      return heard.includes('abstract');
    },
    'end another process': async () => {
      await inShell(`kill -9 ${prey.pid}`);
      return !isAlive(prey.pid ?? 0) || prey.signalCode !== null;
    },
    'trace another process': async () =>
      (
        await inShell(
          python(
            `import ctypes; print('TRACED' if ctypes.CDLL(None).ptrace(16, ${prey.pid}, 0, 0) == 0 else 'no')`,
          ),
        )
      ).includes('TRACED'),
    'gain rights by a program': async () => !/NoNewPrivs:\s*1/.test(await inShell('cat /proc/self/status')),
    mount: async () =>
      (await inShell(`mount -t tmpfs none ${vault}/project && echo MOUNTED`)).includes('MOUNTED'),
    'mount anew for writing': () =>
      writes('mount -o remount,rw,bind /usr; echo x > /usr/il-mounted', '/usr/il-mounted'),
    'take a mount away': async () =>
      (await inShell(`umount -l ${vault}/.interlinear /tmp /root; cat ${outside}/id`)).includes(secret),
    'make namespaces of users or mounts': async () =>
      (await inShell('unshare -Ur true && echo MADE; unshare -m true && echo MADE')).includes('MADE'),
    'make a device': async () => (await inShell('mknod device b 8 0 && echo MADE')).includes('MADE'),
    'read devices': async () =>
      (await inShell('ls /dev/sd* /dev/vd* /dev/mem /dev/kmsg /dev/dri 2>/dev/null')).trim() !== '',
    'change the kernel’s settings': async () =>
      (await inShell('(: >> /proc/sys/kernel/core_pattern) && echo OPEN')).includes('OPEN'),
    'write the vault’s servers': async () => {
      await inShell('echo x >> .interlinear/mcp.json; mv .interlinear away; mv .interlinear/mcp.json there');
      return !readFileSync(join(vault, '.interlinear/mcp.json'), 'utf8').startsWith('{"mcpServers"');
    },
    'make a hook of git': () =>
      writes('mkdir -p .git/hooks; echo x > .git/hooks/post-commit', join(vault, '.git/hooks/post-commit')),
    'make a hook of a project in the vault': () =>
      writes('echo x > project/.git/hooks/pre-commit', join(vault, 'project/.git/hooks/pre-commit')),
    'change what a project’s git runs': async () => {
      await inShell('echo x > project/.git/config');
      return readFileSync(join(vault, 'project/.git/config'), 'utf8') !== '';
    },
    'make a plugin of Obsidian': () => writes('echo x > .obsidian/plugin', join(vault, '.obsidian/plugin')),
    'change a hidden file': async () => {
      await inShell('echo x > .envrc');
      return readFileSync(join(vault, '.envrc'), 'utf8') !== '';
    },
  };
  const succeeded: string[] = [];
  for (const [name, gotOut] of Object.entries(escapes)) if (await gotOut()) succeeded.push(name);
  process.stdout.write(`${Object.keys(escapes).length} escapes were tried, ${succeeded.length} succeeded.\n`);
  // To the kernel root is root wherever it is; `interlinear doctor` says so.
  if (process.getuid?.() === 0) expect(succeeded.splice(0)).toEqual(['change the kernel’s settings']);
  expect(succeeded).toEqual([]);
  expect(heard).toEqual([]);
  // What it is there for works all the while.
  expect(await inShell('cat note.md; echo more > new.md; cat new.md')).toBe('minemore\n');
});

sandboxed('a server reaches the hosts that it may, and no other', async () => {
  const { mcp, until } = await world({
    net: { ...ours('runs-anything'), sandbox: { hosts: ['example.org:443'] } },
  });
  const status = (host: string) =>
    node(mcp, 'net', throughProxy(`CONNECT ${host} HTTP/1.1\r\nHost: example.org\r\n\r\n`));
  // Whether the computer itself is online is another matter.
  expect(await status('example.org:443')).not.toMatch(/403/);
  expect(await status('example.org:80')).toMatch(/403/);
  expect(await status('evil.example.org:443')).toMatch(/403/);
  expect(await status('example.com:443')).toMatch(/403/);
  const { sandbox } = await until('net', (server) => server.sandbox?.denials.length === 3);
  expect(sandbox?.denials.map((denial) => denial.kind === 'host' && denial.host)).toEqual([
    'example.org',
    'evil.example.org',
    'example.com',
  ]);
});

sandboxed('what a server says that it could not write or read is kept as what it was refused', async () => {
  const [shared, outside] = [folder(), folder()];
  writeFileSync(join(outside, 'there'), '');
  const { mcp, until } = await world({
    files: { ...filesystem(shared), sandbox: { read: [shared] } },
    words: { ...ours('runs-anything'), sandbox: {} },
  });
  const refused = (name: string, count: number) =>
    until(name, ({ sandbox }) => sandbox?.denials.length === count).then(({ sandbox }) => sandbox?.denials);
  await call(mcp, 'files', 'write_file', { path: join(shared, 'new.txt'), content: '' });
  expect(await refused('files', 1)).toEqual([{ kind: 'write', path: join(shared, 'new.txt') }]);
  for (const words of [
    `Error: ENOENT: no such file or directory, open '${join(outside, 'there')}'`,
    `FileNotFoundError: [Errno 2] No such file or directory: '${join(outside, 'new')}'`,
    `Error: ENOENT: no such file or directory, open '/usr/share/nothing-of-this-name'`,
    `/bin/sh: 1: cannot create /usr/x: Read-only file system`,
    `OSError: [Errno 30] Read-only file system: '/usr/share/x'`,
  ])
    await call(mcp, 'words', 'complain', { words });
  expect(await refused('words', 4)).toEqual([
    { kind: 'read', path: join(outside, 'there') },
    { kind: 'write', path: outside },
    { kind: 'write', path: '/usr/x' },
    { kind: 'write', path: '/usr/share/x' },
  ]);
});

sandboxed(
  'servers as they are work in it: one keeps what it is told, one reads and writes its folder',
  async () => {
    const shared = folder();
    writeFileSync(join(shared, 'a.txt'), 'hello');
    const { mcp } = await world({
      memory: {
        ...memory,
        env: { MEMORY_FILE_PATH: join(shared, 'memory.json') },
        sandbox: { write: [shared] },
      },
      files: { ...filesystem(shared), sandbox: { write: [shared] } },
    });
    const entity = { name: 'Ada', entityType: 'person', observations: ['likes numbers'] };
    await call(mcp, 'memory', 'create_entities', { entities: [entity] });
    expect(JSON.stringify(await call(mcp, 'memory', 'read_graph'))).toContain('likes numbers');
    expect(
      JSON.stringify(await call(mcp, 'files', 'read_text_file', { path: join(shared, 'a.txt') })),
    ).toContain('hello');
    await call(mcp, 'files', 'write_file', { path: join(shared, 'b.txt'), content: 'there' });
    expect(readFileSync(join(shared, 'b.txt'), 'utf8')).toBe('there');
  },
);

sandboxed(
  'stopped it is gone within two seconds, with all it started, and nothing of it stays in the vault',
  async () => {
    const { mcp, vault, server } = await world({}, { vaultServers: { one: ours('runs-anything') } });
    await shell(mcp, 'one', 'sleep 299.5 >/dev/null 2>&1 & echo x > note.md');
    const held = readdirSync(vault).sort();
    expect(held).toEqual(['.git', '.interlinear', '.obsidian', 'note.md']);
    const began = performance.now();
    await mcp.stop(server('one').id);
    expect(performance.now() - began).toBeLessThan(2_000);
    expect(processesOf(['sleep\x0299.5'])).toEqual([]);
    await expect.poll(() => readdirSync(vault).sort()).toEqual(['.interlinear', 'note.md']);
  },
);

sandboxed(
  'what a server was refused it may once its entry says so, without being started by hand',
  async () => {
    const shared = folder();
    const { mcp, server, until } = await world({
      one: { ...ours('runs-anything'), sandbox: { read: [shared] } },
    });
    await call(mcp, 'one', 'complain', {
      words: `EROFS: read-only file system, open '${join(shared, 'a')}'`,
    });
    const { id, sandbox } = await until('one', (one) => one.sandbox?.denials.length === 1);
    expect(sandbox).toMatchObject({ isOn: true, isDefault: false, read: [shared], write: [], hosts: [] });
    await mcp.update(id, { sandbox: { read: [shared], write: [shared] } }, server('one').revision);
    await until('one', (one) => one.state.kind === 'ready' && one.sandbox?.denials.length === 0);
    await shell(mcp, 'one', `echo x > ${join(shared, 'a')}`);
    expect(readFileSync(join(shared, 'a'), 'utf8')).toBe('x\n');
  },
);

test('a server that is to run in a sandbox does not start where none can be made, and says so', async () => {
  const data = folder();
  const server = { ...ours('runs-anything'), sandbox: {} };
  writeFileSync(join(data, 'mcp.json'), JSON.stringify({ mcpServers: { one: server } }));
  const { sandboxProgram: _none, ...host } = hostIn(data);
  const mcp = createMcp({ host, log: host.log, ...ownPrograms() });
  onTestFinished(() => mcp.close());
  expect(await mcp.sandboxTrouble()).toMatchObject({ why: 'system' });
  await mcp.useVault(null);
  const { id } = (await mcp.find('one')) ?? { id: '' };
  await expect(mcp.ready(id)).rejects.toThrow(/sandbox/);
  expect(mcp.find('one')?.state).toMatchObject({
    kind: 'failed',
    reason: { code: 'no-sandbox', why: 'system' },
  });
  await mcp.update(id, { sandbox: false });
  await mcp.ready(id);
});

/** Processes whose command line or environment names one of these folders. */
function processesOf(folders: readonly string[]): string[] {
  return readdirSync('/proc').filter((pid) => {
    try {
      const text = ['cmdline', 'environ']
        .map((file) => readFileSync(`/proc/${pid}/${file}`, 'latin1'))
        .join('');
      return /^\d+$/.test(pid) && Number(pid) !== process.pid && folders.some((one) => text.includes(one));
    } catch {
      return false;
    }
  });
}

sandboxed(
  'stopped while it begins, at whatever moment, a sandbox leaves no process behind',
  async () => {
    const { data, mcp, until } = await world({ one: { ...ours('runs-anything'), sandbox: {} } });
    const { id } = await until('one', ({ state }) => state.kind === 'ready');
    const around = processesOf([data]);
    await mcp.stop(id);
    for (let wait = 0; wait <= 160; wait += 8) {
      const starting = mcp.start(id).catch(() => undefined);
      await new Promise((resolve) => setTimeout(resolve, wait));
      await Promise.all([mcp.stop(id), starting]);
    }
    expect(around.length).toBeGreaterThan(0);
    await expect.poll(() => processesOf([data])).toEqual([]);
  },
  60_000,
);

sandboxed('kill -9 of the app leaves no process, no socket and no folder of a sandbox behind', async () => {
  const [data, vault, temporary] = [folder(), folder(), folder()];
  const server = { ...ours('runs-anything'), sandbox: { write: [vault] } };
  writeFileSync(join(data, 'mcp.json'), JSON.stringify({ mcpServers: { one: server } }));
  const app = spawn(process.execPath, [await packedHost(), data, folder(), keeperProgram], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, TMPDIR: temporary },
  });
  await new Promise((resolve) => app.stdout.once('data', resolve));
  expect(readdirSync(vault).sort()).toEqual(['.git', '.interlinear', '.obsidian']);
  expect(readdirSync(temporary)).toHaveLength(1);
  expect(processesOf([data, temporary]).length).toBeGreaterThan(3);
  app.kill('SIGKILL');
  await expect.poll(() => processesOf([data, temporary])).toEqual([]);
  await expect.poll(() => [...readdirSync(vault), ...readdirSync(temporary)]).toEqual([]);
});
