import { endWithInput, serve, text, tool } from './speak.mjs';

process.stderr.write(`started with ${process.env.API_KEY}\n`);
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
