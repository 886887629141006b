import { repeating } from './repeating.mjs';
import { endWithInput, send, serve } from './speak.mjs';

/** Repeats what it was given: its arguments and the variables that `REPEATS` names, wherever a server says anything. */
const { env, argv } = process;
const said = [...argv.slice(2), ...(env.REPEATS ?? '').split(',').map((name) => env[name] ?? '')]
  .join(' ')
  .trim();
const answers = repeating(said, send);

process.stderr.write(`Error: started with ${said}\n`);
process.stdout.write(`started with ${said}\n`);
if (env.ENDS) process.exit(3);
serve({
  ...answers,
  'tools/call': (params, id) => {
    if (params.name === 'error' || params.name === 'refused')
      send({ id, error: { code: -32_000, message: `401 invalid token ${said}`, data: { said } } });
    else if (params.name === 'noise') {
      process.stdout.write(`no message: ${said}\n`);
      return { content: [] };
    } else if (params.name === 'ends') {
      process.stderr.write(`Error: cannot connect with ${said}\n`, () => process.exit(3));
    } else return answers['tools/call'](params);
    return undefined;
  },
});
endWithInput();
