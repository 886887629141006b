import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { endWithInput, serve, text, tool } from './speak.mjs';

/**
 * Looks up words and writes down each call; `fail` fails, `wait` and its resources answer nothing until they are cancelled. What it says of
 * its tools stands in a file, if there is one.
 */
const [, , record, words = ''] = process.argv;
const description = existsSync(words) ? readFileSync(words, 'utf8') : 'Looks up words.';
const inputSchema = { type: 'object', properties: { word: { type: 'string' } } };
const annotations = { readOnlyHint: true };
let calls = 0;
const answers = {
  'tools/list': () => ({
    tools: ['look', 'fail', 'wait'].map((name) => tool(name, { description, inputSchema, annotations })),
  }),
  'resources/list': () => ({ resources: [] }),
  'resources/read': () => new Promise(() => undefined),
  'tools/call': ({ name, arguments: { word = 'nothing' } = {} }) => {
    appendFileSync(record, `${name} ${word}\n`);
    if (name === 'wait') return new Promise(() => undefined);
    if (name === 'fail') return { ...text(`no ${word}`), isError: true };
    return text(`call ${++calls} found ${word}`);
  },
};
serve(answers, { capabilities: { tools: {}, resources: {} } });
endWithInput();
