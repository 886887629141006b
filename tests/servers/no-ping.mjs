import { appendFileSync } from 'node:fs';
import { endWithInput, serve, text, tool } from './speak.mjs';

/** Does not know `ping`. First argument: where to note what it is asked; second: how it meets the question. */
const [record, how] = process.argv.slice(2);
const note = (method) => appendFileSync(record, `${method}\n`);

serve({
  'tools/list': () => {
    note('tools/list');
    return how === 'lists-nothing' ? undefined : { tools: [tool('x')] };
  },
  'tools/call': () => text('fine'),
  ...(how === 'silent' && { ping: () => note('ping') }),
  ...(how === 'refuses' && {
    ping: (_params, id) => {
      note('ping');
      process.stdout.write(
        `${JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32_601, message: 'no' } })}\n`,
      );
    },
  }),
});
endWithInput();
