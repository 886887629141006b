import { appendFileSync } from 'node:fs';
import { endWithInput, serve, text, tool } from './speak.mjs';

/** Writes down each call before it answers, so that a test can see how often it was really made. */
const [, , record] = process.argv;
const inputSchema = {
  type: 'object',
  properties: { id: { type: 'string' }, ms: { type: 'number' } },
  required: ['id'],
};
serve({
  'tools/list': () => ({ tools: [tool('count', { inputSchema })] }),
  'tools/call': async ({ arguments: { id, ms = 0 } }) => {
    appendFileSync(record, `${id}\n`);
    await new Promise((resolve) => setTimeout(resolve, ms));
    return text(`counted ${id}`);
  },
});
endWithInput();
