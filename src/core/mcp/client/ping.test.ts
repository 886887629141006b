import { ProtocolError, SdkError, SdkErrorCode } from '@modelcontextprotocol/client';
import { expect, test } from 'vitest';
import { createPing } from './ping';
import type { Session } from './session';

const late = () => new SdkError(SdkErrorCode.RequestTimeout, 'no answer');

/** `answers`: what each method is answered with; left out: nothing comes. */
function pinging(answers: Record<string, () => unknown>, lastHeard = 0) {
  const sent: string[] = [];
  const client = {
    async request({ method }: { method: string }) {
      sent.push(method);
      const answer = answers[method];
      if (!answer) throw late();
      return answer();
    },
  } as unknown as Session['client'];
  const ping = createPing({ client, era: 'legacy', offers: { tools: {} } }, () => lastHeard);
  return { ping, sent };
}

test('a server that does not answer a ping is asked for its tools from then on', async () => {
  const { ping, sent } = pinging({ 'tools/list': () => ({}) });
  await ping(5_000);
  await ping(5_000);
  expect(sent).toEqual(['ping', 'tools/list', 'tools/list']);
});

test('a server that once answered a ping, and then does not, is silent', async () => {
  const answers: Record<string, () => unknown> = { ping: () => ({}), 'tools/list': () => ({}) };
  const { ping, sent } = pinging(answers);
  await ping(5_000);
  delete answers.ping;
  await expect(ping(5_000)).rejects.toThrow('no answer');
  expect(sent).toEqual(['ping', 'ping']);
});

test('a refusal is an answer, and so is anything else that was said meanwhile', async () => {
  const refusing = pinging({
    ping() {
      throw new ProtocolError(-32_601, 'no such method');
    },
  });
  await refusing.ping(5_000);
  const talking = pinging({}, Number.POSITIVE_INFINITY);
  await talking.ping(5_000);
  expect([...refusing.sent, ...talking.sent]).toEqual(['ping', 'ping']);
});

test('a server that answers neither is silent, and is asked the same again', async () => {
  const { ping, sent } = pinging({});
  await expect(ping(5_000)).rejects.toThrow('no answer');
  await expect(ping(5_000)).rejects.toThrow('no answer');
  expect(sent).toEqual(['ping', 'tools/list', 'ping', 'tools/list']);
});
