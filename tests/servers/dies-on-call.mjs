import { endWithInput, serve, text, tool } from './speak.mjs';

serve({
  'tools/list': () => ({ tools: [tool('die'), tool('pid')] }),
  'tools/call': ({ name }) => (name === 'pid' ? text(process.pid) : process.exit(7)),
});
endWithInput();
