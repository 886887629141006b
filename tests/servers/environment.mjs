import { endWithInput, serve, text, tool } from './speak.mjs';

console.error(`started with ${process.env.API_KEY}`);
serve({
  'tools/list': () => ({ tools: [tool('env'), tool('args'), tool('cwd')] }),
  'tools/call': ({ name }) =>
    text(
      JSON.stringify(
        name === 'env' ? process.env : name === 'args' ? process.argv.slice(2) : { cwd: process.cwd() },
      ),
    ),
});
endWithInput();
