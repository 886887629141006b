import { request } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { openCallback } from './callback';

test('what is no address at the door is turned away, and the answer is still waited for', async () => {
  const callback = await openCallback(null);
  onTestFinished(() => callback.close());
  const { port, host } = new URL(callback.url);
  const status = (path: string) =>
    new Promise<number>((resolve, reject) => {
      request({ host: '127.0.0.1', port, path, headers: { host } }, (response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
      })
        .on('error', reject)
        .end();
    });
  for (const path of ['//', '///', '//[', '/%', '/callback?state=other'])
    expect(await status(path)).toBeGreaterThan(399);
  const answer = callback.answer('s', new AbortController().signal);
  const asked = status('/callback?state=s&code=c');
  expect((await answer).get('code')).toBe('c');
  callback.finish({ ok: true, text: 'fine' });
  expect(await asked).toBe(200);
});
