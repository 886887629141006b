import { readFileSync } from 'node:fs';
import { endWithInput, serve, text, tool } from './speak.mjs';

/** Behaves as its file says: `well`, `dies`, `mute` and `listless` as it starts, `silent` (once its tools are listed) at any time. */
const mode = () => {
  try {
    return readFileSync(process.argv[2], 'utf8').trim();
  } catch {
    return 'well';
  }
};
let listed = false;
const never = () => new Promise(() => undefined);

if (mode() === 'dies') {
  process.stderr.write('steered to die\n');
  process.exit(3);
}
serve({
  ...(mode() === 'mute' && { initialize: never }),
  ping: async () => {
    if (mode() === 'silent') await never();
    return {};
  },
  ...(mode() !== 'listless' && {
    'tools/list': () => {
      if (mode() === 'silent' && listed) return never();
      listed = true;
      return { tools: [tool('pid'), tool('wait')] };
    },
  }),
  'tools/call': ({ name }) => (name === 'pid' ? text(process.pid) : never()),
});
endWithInput();
