import { once } from 'node:events';
import { expect, test } from 'vitest';
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

test('a socket whose buffer is full gets nothing more until it has drained', async () => {
  const sent: string[] = [];
  const socket = {
    bufferedAmount: 2 * 1024 * 1024,
    send: (data: string) => void sent.push(data),
    close: () => undefined,
    addEventListener: () => undefined,
  };
  const wire = webSocketWire(socket);
  for (let n = 0; n < 10; n++) {
    wire.send(n);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  expect(sent).toEqual([]);
  socket.bufferedAmount = 0;
  await expect.poll(() => sent).toEqual(['[0,1,2,3,4,5,6,7,8,9]']);
});

test('a socket that does not open is an error, not a wait', async () => {
  await expect(openWebSocket(new WebSocket('ws://127.0.0.1:9'))).rejects.toThrow('did not open');
});
