// Its tools are called as what every object has.
import { endWithInput, serve, text, tool } from './speak.mjs';

const names = Object.getOwnPropertyNames(Object.prototype);
serve({
  'tools/list': () => ({ tools: names.map((name) => tool(name)) }),
  'tools/call': ({ name }) => text(name),
});
endWithInput();
