// Answers with names by the ten thousand. Arguments: where, how many stand in one object, in how many, and how many are in all of them.
import { endWithInput, serve, tool } from './speak.mjs';

const [where, ...counts] = process.argv.slice(2);
const [names, objects, repeated = 0] = counts.map(Number);
const text = 'x'.repeat(50);
const many = (value) =>
  Array.from({ length: objects }, (_, one) =>
    Object.fromEntries(
      Array.from({ length: names }, (_, at) => [`${at < repeated ? at : one * names + at}${text}`, value]),
    ),
  );

serve({
  'tools/list': () => ({
    tools:
      where === 'schemas'
        ? many({}).map((properties, at) => ({
            ...tool(`tool-${at}`),
            inputSchema: { type: 'object', properties },
          }))
        : [tool('go')],
  }),
  'tools/call': () => ({ content: [], structuredContent: { all: many(1) } }),
});
endWithInput();
