// Answers a call with the line that asked for it, as it came.
import { endWithInput, send, text, tool } from './speak.mjs';

const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'wire', version: '1' },
  }),
  'tools/list': () => ({ tools: [tool('echo')] }),
  'tools/call': (_params, line) => text(line),
  ping: () => ({}),
};

let rest = '';
process.stdin.setEncoding('utf8').on('data', (chunk) => {
  const lines = (rest + chunk).split('\n');
  rest = lines.pop() ?? '';
  for (const line of lines) {
    const { id, method, params } = JSON.parse(line);
    const answer = answers[method];
    if (answer) send({ id, result: answer(params ?? {}, line) });
    else if (id !== undefined) send({ id, error: { code: -32601, message: 'Method not found' } });
  }
});
endWithInput();
