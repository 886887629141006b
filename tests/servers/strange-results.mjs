import { endWithInput, send, serve, text, tool } from './speak.mjs';

const results = {
  unknown: {
    content: [{ type: 'hologram', shape: 'cube' }, { type: 'text', text: 'and text' }, { type: 'image' }],
  },
  'no-content': { structuredContent: { n: 1 } },
  nothing: {},
  deep: { content: [{ type: 'deep', value: '@deep' }], structuredContent: { deep: '@deep' } },
  redos: { content: [], structuredContent: { s: `${'a'.repeat(40_000)}!` } },
  'broken-promise': { content: [{ type: 'text', text: 'kept' }], structuredContent: { n: 'not a number' } },
  kept: { content: [{ type: 'text', text: '7' }], structuredContent: { n: 7 } },
};
const number = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] };
const output = {
  redos: { type: 'object', properties: { s: { type: 'string', pattern: '^(a+)+$' } } },
  'broken-promise': number,
  kept: number,
};
serve({
  'tools/list': () => ({
    tools: [...Object.keys(results), 'twice'].map((name) =>
      tool(name, output[name] ? { outputSchema: output[name] } : {}),
    ),
  }),
  'tools/call': ({ name }, id) => {
    if (name !== 'twice') return results[name];
    send({ id, result: text('first') });
    return text('second');
  },
});
endWithInput();
