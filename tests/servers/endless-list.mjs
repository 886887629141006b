import { endWithInput, serve, text, tool } from './speak.mjs';

let page = 0;
serve({
  'tools/list': () => ({ tools: [tool(`tool-${page}`)], nextCursor: `page-${++page}` }),
  'tools/call': ({ name }) => text(name),
});
endWithInput();
