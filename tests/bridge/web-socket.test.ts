import { once } from 'node:events';
import { afterEach, expect, test, vi } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { openWebSocket, webSocketWire } from '../../src/bridge';

test('frames sent in one turn travel as one message, and arrive as they were sent', async () => {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  await once(server, 'listening');
  const accepted = once(server, 'connection') as Promise<[WebSocket]>;
  const near = await openWebSocket(
    new WebSocket(`ws://127.0.0.1:${(server.address() as { port: number }).port}`),
  );
  const [socket] = await accepted;
  const messages: string[] = [];
  socket.on('message', (data) => messages.push(String(data)));
  const far = webSocketWire(socket);
  const frames: unknown[] = [];
  for (let n = 0; n < 100; n++) near.send({ n });
  await new Promise<void>((resolve) =>
    far.onFrame((frame) => {
      frames.push(frame);
      if (frames.length === 100) resolve();
    }),
  );
  expect(frames).toEqual(Array.from({ length: 100 }, (_, n) => ({ n })));
  expect(messages).toHaveLength(1);
  near.close();
  server.close();
});

/** A socket of which a test says what comes and how full it is. */
function createSocket() {
  const sent: string[] = [];
  const listeners: [string, (event: { data: unknown }) => void][] = [];
  const socket = {
    bufferedAmount: 0,
    closed: 0,
    send: (data: string) => void sent.push(data),
    close: () => void socket.closed++,
    addEventListener: (type: string, listener: (event: { data: unknown }) => void) =>
      void listeners.push([type, listener]),
  };
  const tell = (type: string, data?: unknown) => {
    for (const [name, listener] of listeners) if (name === type) listener({ data });
  };
  return { socket, sent, tell };
}

afterEach(() => vi.useRealTimers());

test.each([1, 2])(
  'a socket with %i MiB in its buffer gets nothing more until it has drained',
  async (full) => {
    const { socket, sent } = createSocket();
    socket.bufferedAmount = full * 1024 * 1024;
    const wire = webSocketWire(socket);
    for (let n = 0; n < 10; n++) {
      wire.send(n);
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    expect(sent).toEqual([]);
    socket.bufferedAmount = 0;
    await expect.poll(() => sent).toEqual(['[0,1,2,3,4,5,6,7,8,9]']);
  },
);

test('a socket that does not open is an error, not a wait', async () => {
  await expect(openWebSocket(new WebSocket('ws://127.0.0.1:9'))).rejects.toThrow('did not open');
});

test('what is sent while a socket is busy travels together, a frame alone as it is, and an idle one keeps no timer', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { socket, sent } = createSocket();
  const wire = webSocketWire(socket);
  wire.send({ n: 1 });
  await Promise.resolve();
  wire.send({ n: 2 });
  await Promise.resolve();
  wire.send({ n: 3 });
  await Promise.resolve();
  expect(sent).toEqual(['{"n":1}']);
  vi.advanceTimersByTime(100);
  expect(sent).toEqual(['{"n":1}', '[{"n":2},{"n":3}]']);
  expect(vi.getTimerCount()).toBe(0);
  wire.send({ n: 4 });
  await Promise.resolve();
  expect(sent).toHaveLength(3);
});

test('closing sends what was said before, and nothing where nothing was', () => {
  const quiet = createSocket();
  webSocketWire(quiet.socket).close();
  expect(quiet).toMatchObject({ sent: [], socket: { closed: 1 } });
  const { socket, sent } = createSocket();
  const wire = webSocketWire(socket);
  wire.send({ n: 1 });
  wire.close();
  wire.send({ n: 2 });
  wire.close();
  expect(sent).toEqual(['{"n":1}']);
});

test.each<[string, unknown]>([
  ['no JSON', '{'],
  ['bytes', new ArrayBuffer(2)],
])('whoever sends %s is hung up on', (_what, data) => {
  const { socket, tell } = createSocket();
  const frames: unknown[] = [];
  webSocketWire(socket).onFrame((frame) => frames.push(frame));
  expect(() => tell('message', data)).not.toThrow();
  expect(frames).toEqual([]);
  expect(socket.closed).toBe(1);
});

test('of a message whose first frame makes the reader close, the rest is not read', () => {
  const { socket, tell } = createSocket();
  const wire = webSocketWire(socket);
  const frames: unknown[] = [];
  wire.onFrame((frame) => {
    frames.push(frame);
    wire.close();
  });
  tell('message', '[1,2]');
  expect(frames).toEqual([1]);
});
