import { endWithInput, send, serve, tool } from './speak.mjs';

/** Hides things in what it says by the way: its instructions, its refusals. */
const hidden = '\u001b[31mred\u001b[0m \u202etxt';
serve({
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'hides', version: '1' },
    instructions: hidden + 'x'.repeat(5_000_000),
  }),
  'tools/list': () => ({ tools: [tool('x')] }),
  'tools/call': (_params, id) => {
    send({ id, error: { code: -32_000, message: hidden + 'x'.repeat(1_000_000) } });
  },
});
endWithInput();
