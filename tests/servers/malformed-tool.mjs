import { endWithInput, serve, text, tool } from './speak.mjs';

serve({
  'tools/list': () => ({
    tools: [
      tool('good'),
      { name: 'no-schema' },
      { name: 7, inputSchema: { type: 'object' } },
      'not a tool',
      tool('deep', { inputSchema: '@deep' }),
      tool('array', { inputSchema: { type: 'array' } }),
      tool('good', { description: 'again' }),
      tool('also-good', { description: 42, annotations: { readOnlyHint: 'yes', destructiveHint: true } }),
    ],
  }),
  'tools/call': () => text('fine'),
});
endWithInput();
