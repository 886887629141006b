import { appendFileSync } from 'node:fs';
import { endWithInput, send, serve, text, tool } from './speak.mjs';

const [, , record] = process.argv;
serve({
  'tools/list': () => ({ tools: [tool('forever'), tool('progress')] }),
  'tools/call': async ({ name, arguments: args, _meta }, id) => {
    if (name === 'forever') return void appendFileSync(record, `called ${id}\n`);
    for (let step = 1; step <= args.steps; step++) {
      await new Promise((resolve) => setTimeout(resolve, args.every));
      send({
        method: 'notifications/progress',
        params: {
          progressToken: _meta.progressToken,
          progress: step,
          total: args.steps,
          message: `step ${step}`,
        },
      });
    }
    return text('done');
  },
  'notifications/cancelled': ({ requestId }) => {
    appendFileSync(record, `cancelled ${requestId}\n`);
    // A late answer to what was cancelled, which nobody may take for another call's.
    send({ id: requestId, result: { content: [{ type: 'text', text: 'late' }] } });
  },
});
endWithInput();
