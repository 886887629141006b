import { endWithInput, serve, text, tool } from './speak.mjs';

/** Two hundred tools with words and schemas as long as those of real servers. */
const description = 'Looks up what was written down under a word, and says where. '.repeat(8);
const property = { type: 'string', description: 'A word, as it was written down.' };
const properties = Object.fromEntries(Array.from({ length: 6 }, (_, at) => [`word${at}`, property]));
const inputSchema = { type: 'object', properties };
serve({
  'tools/list': () => ({
    tools: Array.from({ length: 200 }, (_, at) => tool(`look_${at}`, { description, inputSchema })),
  }),
  'tools/call': ({ name }) => text(`${name} found it`),
});
endWithInput();
