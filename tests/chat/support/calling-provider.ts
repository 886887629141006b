import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface AskedRequest {
  readonly messages: readonly { readonly role: string; readonly content: unknown }[];
  readonly tools?: readonly { readonly function: { readonly name: string } }[];
  readonly [key: string]: unknown;
}

/** Speaks OpenAI's chat: calls the first tool that it is offered once, then says that it is done. */
export async function startCallingProvider() {
  const requests: AskedRequest[] = [];
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request.setEncoding('utf8')) text += chunk;
    const asked = JSON.parse(text) as AskedRequest;
    requests.push(asked);
    const tool = asked.messages.at(-1)?.role === 'user' ? asked.tools?.[0]?.function.name : undefined;
    const args = JSON.stringify({ id: 'x' });
    const call = { index: 0, id: 'a', type: 'function', function: { name: tool, arguments: args } };
    const model = { id: 'x', object: 'chat.completion.chunk', created: 1, model: 'm' };
    const say = (choice: object) =>
      response.write(`data: ${JSON.stringify({ ...model, choices: [{ index: 0, ...choice }] })}\n\n`);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    say({ delta: tool ? { tool_calls: [call] } : { content: 'Done.' } });
    say({ delta: {}, finish_reason: tool ? 'tool_calls' : 'stop' });
    response.end('data: [DONE]\n\n');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    requests,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
