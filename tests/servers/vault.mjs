import { endWithInput, serve, text, tool } from './speak.mjs';

serve({
  'tools/list': () => ({ tools: [tool('where')] }),
  'tools/call': () => text(process.argv[2]),
});
endWithInput();
