import { appendFileSync } from 'node:fs';
import { endWithInput, serve, tool } from './speak.mjs';

// Servers of some SDKs end on any request before `initialize`. Each start is noted in the given file.
if (process.argv[2]) appendFileSync(process.argv[2], 'start\n');
serve({
  'server/discover': () => process.exit(1),
  'tools/list': () => ({ tools: [tool('x')] }),
});
endWithInput();
