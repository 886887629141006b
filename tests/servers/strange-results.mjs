import { endWithInput, send, serve, text, tool } from './speak.mjs';

const results = {
  unknown: {
    content: [{ type: 'hologram', shape: 'cube' }, { type: 'text', text: 'and text' }, { type: 'image' }],
  },
  'no-content': { structuredContent: { n: 1 } },
  nothing: {},
  links: {
    content: [
      { type: 'resource_link', uri: 'file:///etc/passwd', name: 'a' },
      { type: 'resource_link', uri: 'https://elsewhere.example/', name: 'b' },
      { type: 'resource_link', uri: 'memo://a', name: 'c' },
    ],
  },
  deep: { content: [{ type: 'deep', value: '@deep' }], structuredContent: { deep: '@deep' } },
  redos: { content: [], structuredContent: { s: `${'a'.repeat(400)}!` } },
  'broken-promise': { content: [{ type: 'text', text: 'kept' }], structuredContent: { n: 'not a number' } },
  kept: { content: [{ type: 'text', text: '7' }], structuredContent: { n: 7 } },
};
const number = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] };
const output = {
  redos: { type: 'object', properties: { s: { type: 'string', pattern: '^(a+)+$' } } },
  'broken-promise': number,
  kept: number,
};
let wasRead = false;
serve({
  'tools/list': () => ({
    tools: [...Object.keys(results), 'twice', 'was-read'].map((name) =>
      tool(name, output[name] ? { outputSchema: output[name] } : {}),
    ),
  }),
  'resources/read': () => {
    wasRead = true;
    return { contents: [] };
  },
  'tools/call': ({ name }, id) => {
    if (name === 'was-read') return text(wasRead);
    if (name !== 'twice') return results[name];
    send({ id, result: text('first') });
    return text('second');
  },
});
endWithInput();
