import { appendFileSync } from 'node:fs';
import { endWithInput, serve, text, tool } from './speak.mjs';

/** Looks up words and writes down each call; `fail` fails, `wait` answers nothing until it is cancelled. */
const [, , record] = process.argv;
const inputSchema = { type: 'object', properties: { word: { type: 'string' } } };
const annotations = { readOnlyHint: true };
let calls = 0;
serve({
  'tools/list': () => ({
    tools: ['look', 'fail', 'wait'].map((name) => tool(name, { inputSchema, annotations })),
  }),
  'tools/call': ({ name, arguments: { word = 'nothing' } = {} }) => {
    appendFileSync(record, `${name} ${word}\n`);
    if (name === 'wait') return new Promise(() => undefined);
    if (name === 'fail') return { ...text(`no ${word}`), isError: true };
    return text(`call ${++calls} found ${word}`);
  },
});
endWithInput();
