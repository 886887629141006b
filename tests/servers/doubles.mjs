// Answers more than it was asked: twice under one id, under ids that nobody used, and with a flood of progress.
import { endWithInput, send, serve, text, tool } from './speak.mjs';

serve({
  'tools/list': () => ({ tools: ['twice', 'strange', 'flood', 'plain'].map((name) => tool(name)) }),
  'tools/call': ({ name, _meta }, id) => {
    const result = text(name);
    if (name === 'twice') {
      send({ id, result });
      send({ id, result: text('the second answer') });
      return undefined;
    }
    if (name === 'strange') {
      send({ id: 987_654, result: text('for nobody') });
      send({ id: null, result: text('for no id') });
    }
    for (let at = 0; name === 'flood' && at < 3_000; at++)
      send({
        method: 'notifications/progress',
        params: {
          progressToken: _meta?.progressToken ?? 'x',
          progress: at % 7,
          total: -1,
          message: 'x'.repeat(50),
        },
      });
    return result;
  },
});
endWithInput();
