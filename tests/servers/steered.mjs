import { readFileSync } from 'node:fs';
import { endWithInput, serve, text, tool } from './speak.mjs';

/** Behaves as its file says at that moment: `well`, `dies`, `mute`, `silent` (to pings), `listless` or `slow` (to pings). */
const mode = () => {
  try {
    return readFileSync(process.argv[2], 'utf8').trim();
  } catch {
    return 'well';
  }
};
const never = () => new Promise(() => undefined);

if (mode() === 'dies') {
  process.stderr.write('steered to die\n');
  process.exit(3);
}
serve({
  ...(mode() === 'mute' && { initialize: never }),
  ping: async () => {
    if (mode() === 'silent') await never();
    if (mode() === 'slow') await new Promise((resolve) => setTimeout(resolve, 1_200));
    return {};
  },
  'tools/list': () => {
    if (mode() === 'listless') process.exit(0);
    return { tools: [tool('pid'), tool('wait')] };
  },
  'tools/call': ({ name }) => (name === 'pid' ? text(process.pid) : never()),
});
endWithInput();
