import { expect, test } from 'vitest';
import { enterWebSocket } from './enter';
import type { SocketLike } from './web-socket';

const signed = { key: 'key', signature: 'signature', invitation: null };

function entering(answer: (nonce: string) => Promise<typeof signed> = async () => signed) {
  const listeners: [string, (event: { data: unknown }) => void][] = [];
  const sent: unknown[] = [];
  let closed = 0;
  const socket = {
    send: (data: string) => sent.push(JSON.parse(data)),
    close: () => closed++,
    addEventListener: (type: string, listener: (event: { data: unknown }) => void) =>
      listeners.push([type, listener]),
  } as unknown as SocketLike;
  const asked: string[] = [];
  const entered = enterWebSocket(socket, (nonce) => {
    asked.push(nonce);
    return answer(nonce);
  });
  entered.catch(() => undefined);
  const tell = (type: string, data?: unknown) => {
    for (const [name, listener] of [...listeners]) if (name === type) listener({ data });
  };
  return { entered, asked, sent, closed: () => closed, hear: (data: string) => tell('message', data), tell };
}

test('a page signs the challenge and is let in, once', async () => {
  const { entered, asked, sent, closed, hear } = entering();
  hear('{"t":"challenge","nonce":"n1"}');
  await expect.poll(() => sent).toEqual([signed]);
  hear('{"t":"entered"}');
  expect(await entered).toMatchObject({ send: expect.any(Function) });
  // From here on all that comes is frames.
  hear('{"t":"challenge","nonce":"n2"}');
  expect(asked).toEqual(['n1']);
  expect(closed()).toBe(0);
});

test('a page that is refused is told so, signs nothing more, and its socket is closed', async () => {
  const { entered, asked, hear, closed } = entering();
  hear('{"t":"refused"}');
  expect(await entered).toBe('refused');
  expect(closed()).toBe(1);
  hear('{"t":"challenge","nonce":"n"}');
  expect(asked).toEqual([]);
});

test.each(['', 'null', '7', '{}', '{"t":"hello"}', '{"t":"challenge"}', '{"t":"challenge","nonce":7}'])(
  'whoever says %j is no core of ours: nothing is signed, and the socket is closed',
  async (said) => {
    const { entered, asked, hear, closed } = entering();
    hear(said);
    hear('{"t":"challenge","nonce":"n"}');
    await expect(entered).rejects.toThrow('no core of ours');
    expect(asked).toEqual([]);
    expect(closed()).toBeGreaterThan(0);
  },
);

test('a socket that closes, or a key that does not sign, lets nobody in', async () => {
  const gone = entering();
  gone.tell('error');
  gone.tell('close');
  await expect(gone.entered).rejects.toThrow('did not open');
  const keyless = entering(() => Promise.reject(new Error('no key')));
  keyless.hear('{"t":"challenge","nonce":"n"}');
  await expect(keyless.entered).rejects.toThrow('no key');
  expect(keyless.closed()).toBe(1);
});
