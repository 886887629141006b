import { readFileSync } from 'node:fs';
import { endWithInput, send, serve, text, tool } from './speak.mjs';

/** Before each answer it writes a line of the file that is its first argument, as it is. Second argument: the era. */
const [file, era] = process.argv.slice(2);
const lines = JSON.parse(readFileSync(file, 'utf8'));
const complete = (result) => (era === 'modern' ? { resultType: 'complete', ...result } : result);

serve({
  ...(era === 'modern' && {
    'server/discover': () =>
      complete({
        supportedVersions: ['2026-07-28'],
        capabilities: { tools: {} },
        ttlMs: 60_000,
        cacheScope: 'private',
      }),
  }),
  'tools/list': () =>
    complete({
      tools: [tool('say')],
      ...(era === 'modern' && { ttlMs: 60_000, cacheScope: 'private' }),
    }),
  'tools/call': ({ arguments: { n } }, id) => {
    const line = Buffer.from(lines[n], 'latin1').toString('latin1').replaceAll('$ID', String(id));
    process.stdout.write(Buffer.from(`${line}\n`, 'latin1'));
    send({ id, result: complete(text(`after ${n}`)) });
  },
});
endWithInput();
