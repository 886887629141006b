// What another account of the machine can get at, tried for real: all that it read goes to standard output, and what it did.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';

const { folders, ports, pids } = JSON.parse(readFileSync(0, 'utf8'));
const tried = { files: 0, written: 0, processes: 0, sockets: 0, requests: 0, signals: 0 };
const did = [];
const read = [];

function look(path) {
  tried.files++;
  try {
    read.push(readFileSync(path, 'latin1'));
    return;
  } catch (error) {
    if (error.code !== 'EISDIR') return;
  }
  let names = [];
  try {
    names = readdirSync(path);
  } catch {
    return;
  }
  for (const name of names) look(join(path, name));
}

function write(path) {
  tried.written++;
  try {
    writeFileSync(path, 'by somebody else');
    did.push(`wrote ${path}`);
  } catch {
    // As it should be.
  }
}

for (const { path, names } of folders) {
  look(path);
  // By their names, should only the listing be closed.
  for (const name of names) {
    look(join(path, name));
    write(join(path, name));
  }
  write(join(path, 'new'));
}

for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
  tried.processes++;
  for (const file of ['cmdline', 'environ', 'maps', 'mem']) {
    try {
      read.push(readFileSync(`/proc/${pid}/${file}`, 'latin1'));
    } catch {
      // Not its own.
    }
  }
}
for (const pid of pids) {
  tried.signals++;
  try {
    process.kill(pid, 'SIGKILL');
    did.push(`ended ${pid}`);
  } catch {
    // As it should be.
  }
}

const ask = (port, path, { method = 'GET', headers = {}, body = '' } = {}) =>
  new Promise((resolve) => {
    tried.requests++;
    const asked = request({ port, host: '127.0.0.1', path, method, headers, timeout: 3_000 }, (response) => {
      let text = `${response.statusCode}`;
      response.setEncoding('latin1');
      response.on('data', (chunk) => (text += chunk));
      response.on('end', () => resolve(text));
    });
    asked.on('upgrade', (_response, socket) => {
      let text = 'upgraded';
      socket.on('data', (chunk) => (text += chunk.toString('latin1')));
      socket.write(frame(JSON.stringify({ key: 'k', signature: 's', invitation: 'guessed' })));
      socket.on('close', () => resolve(text));
      setTimeout(() => socket.destroy(), 1_500);
    });
    asked.on('timeout', () => asked.destroy());
    asked.on('error', () => resolve(''));
    asked.end(body);
  });

/** A masked text frame. */
function frame(text) {
  const bytes = Buffer.from(text);
  return Buffer.concat([Buffer.from([0x81, 0x80 | bytes.length, 0, 0, 0, 0]), bytes]);
}

const socketHeaders = (origin) => ({
  origin,
  connection: 'Upgrade',
  upgrade: 'websocket',
  'sec-websocket-version': '13',
  'sec-websocket-key': Buffer.alloc(16).toString('base64'),
});
const call = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} });
for (const port of ports) {
  const own = `http://127.0.0.1:${port}`;
  const paths = [
    '/',
    '/files/Note.md',
    '/files/a.png?key=0',
    '/bridge',
    '/mcp',
    '//',
    '/../../etc/passwd',
    '/views/x',
  ];
  for (const path of paths) {
    for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, 'evil.example'])
      read.push(await ask(port, path, { headers: { host } }));
    for (const origin of [own, 'null', 'http://127.0.0.1:1', 'https://evil.example']) {
      read.push(await ask(port, path, { headers: { origin } }));
      read.push(await ask(port, path, { headers: socketHeaders(origin) }));
      for (const authorization of ['', 'Bearer ', 'Bearer guessed']) {
        const headers = {
          origin,
          authorization,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
        };
        read.push(await ask(port, path, { method: 'POST', headers, body: call }));
      }
    }
  }
}

// Sockets with a place in the file system, of whoever they are: only those of ours are looked for here.
for (const line of readFileSync('/proc/net/unix', 'latin1').split('\n')) {
  const path = line.split(' ').at(-1) ?? '';
  if (!/il-|interlinear|claude-/.test(path)) continue;
  tried.sockets++;
  await new Promise((resolve) => {
    const socket = connect(path.startsWith('@') ? `\0${path.slice(1)}` : path, () => {
      did.push(`connected to ${path}`);
      socket.destroy();
    });
    socket.on('error', () => undefined);
    socket.on('close', resolve);
  });
}
process.stdout.write(JSON.stringify({ tried, did, read: read.join('\n') }));
