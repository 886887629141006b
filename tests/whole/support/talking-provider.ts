import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { createRandom } from './random';

const model = { id: 'x', object: 'chat.completion.chunk', created: 1, model: 'm' };
/** Turns that end in calls; the turn after them speaks on and on. */
const turnsWithCalls = 8;
const longestSpeech = 2_000;

export interface TalkingProvider {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Answers “Go on <run>.” in the form of OpenAI's chat with numbered marks, ‹run.0›‹run.1›…, and in between with calls
 * of `tool`, each with an id that never comes again.
 */
export async function startTalkingProvider(
  tool: string,
  random: ReturnType<typeof createRandom>,
): Promise<TalkingProvider> {
  const said = new Map<string, number>();
  const turns = new Map<string, number>();

  async function speak(run: string, response: ServerResponse): Promise<void> {
    const write = (choice: object) =>
      response.write(`data: ${JSON.stringify({ ...model, choices: [{ index: 0, ...choice }] })}\n\n`);
    const turn = (turns.get(run) ?? 0) + 1;
    turns.set(run, turn);
    const calls = turn > turnsWithCalls ? 0 : random.whole(1, 3);
    const marks = calls === 0 ? longestSpeech : random.whole(3, 40);
    for (let spoken = 0; spoken < marks && !response.destroyed; spoken++) {
      const number = said.get(run) ?? 0;
      said.set(run, number + 1);
      write({ delta: { content: `‹${run}.${number}›` } });
      await pause(random.whole(0, 3));
    }
    for (let index = 0; index < calls; index++) {
      const id = `${run}-${turn}-${index}`;
      const args = JSON.stringify({ id, ms: random.whole(0, 60) });
      write({
        delta: { tool_calls: [{ index, id, type: 'function', function: { name: tool, arguments: args } }] },
      });
    }
    write({ delta: {}, finish_reason: calls > 0 ? 'tool_calls' : 'stop' });
    response.end('data: [DONE]\n\n');
  }

  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += chunk;
    const run = [...body.matchAll(/Go on (\w+)\./g)].at(-1)?.[1] ?? '';
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    await speak(run, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
