import { endWithInput, serve, text, tool } from './speak.mjs';

serve({
  'tools/list': () => ({ tools: [tool('big')] }),
  'tools/call': ({ arguments: { bytes } }) => text('x'.repeat(bytes)),
});
endWithInput();
