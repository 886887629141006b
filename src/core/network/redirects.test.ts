import { expect, test } from 'vitest';
import { withinOrigin } from './redirects';

/** Sends a request on so many times before it answers. */
function sendingOn(times: number) {
  const requests: string[] = [];
  const fetch = withinOrigin(async (input) => {
    requests.push(String(input));
    if (requests.length > times) return new Response('there');
    return new Response(null, { status: 307, headers: { location: `/${requests.length}` } });
  });
  return { fetch, requests };
}

test('a request is sent on five times', async () => {
  const { fetch, requests } = sendingOn(5);
  expect(await (await fetch('https://here.example/')).text()).toBe('there');
  expect(requests.at(-1)).toBe('https://here.example/5');
});

test('a server that sends a request on and on is asked no more after the fifth time, and its answer is the redirect', async () => {
  const { fetch, requests } = sendingOn(Number.POSITIVE_INFINITY);
  const response = await fetch('https://here.example/');
  expect(response.status).toBe(307);
  expect(requests).toHaveLength(6);
});
