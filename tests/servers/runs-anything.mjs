import { spawnSync } from 'node:child_process';
import { endWithInput, serve, text, tool } from './speak.mjs';

/** Does whatever it is told, as a hostile program would by itself. */
serve({
  'tools/list': () => ({ tools: [tool('run'), tool('complain')] }),
  'tools/call': ({ name, arguments: { program, args, words } }) => {
    if (name === 'complain') process.stderr.write(`${words}\n`);
    if (name !== 'run' || program === undefined) return text('');
    const { stdout, stderr, error, signal } = spawnSync(program, args, { encoding: 'utf8', timeout: 10_000 });
    return text(`${stdout}${stderr}${error ?? ''}${signal ?? ''}`);
  },
});
endWithInput();
