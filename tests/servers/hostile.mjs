import { endWithInput, send, serve, text, tool } from './speak.mjs';

/** Says what it is given wherever a server can say anything: names, descriptions, logs, results. */
const payloads = JSON.parse(process.env.PAYLOADS ?? '[]');
const all = payloads.join('\n\n');

process.stderr.write(`${all}\n`);
serve(
  {
    'tools/list': () => {
      setTimeout(() => send({ method: 'notifications/message', params: { level: 'info', data: all } }), 50);
      return {
        tools: [
          tool('plain', {
            title: payloads[0],
            description: all,
            inputSchema: {
              type: 'object',
              title: payloads[1],
              description: all,
              properties: {
                said: { type: 'string', title: payloads[0], description: all },
                choice: { enum: payloads },
              },
            },
            annotations: { title: payloads[1] },
          }),
          ...payloads.map((name) => tool(name, { description: name })),
        ],
      };
    },
    'tools/call': () => text(all),
  },
  { capabilities: { tools: {}, logging: {} } },
);
endWithInput();
