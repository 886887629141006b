import { readFileSync } from 'node:fs';
import { endWithInput, send, serve, text, tool } from './speak.mjs';

/**
 * Before each answer it writes a line of the file that is its first argument, as it is. Second argument: the era; third,
 * `alone`: the line is all that comes.
 */
const [file, era, alone] = process.argv.slice(2);
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
      tools: [
        tool('say'),
        tool('promises', {
          outputSchema: { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] },
        }),
      ],
      ...(era === 'modern' && { ttlMs: 60_000, cacheScope: 'private' }),
    }),
  'tools/call': ({ arguments: { n } }, id) => {
    if (lines[n] === undefined) return complete(text('fine'));
    const line = Buffer.from(lines[n], 'latin1').toString('latin1').replaceAll('$ID', String(id));
    process.stdout.write(Buffer.from(`${line}\n`, 'latin1'));
    if (alone !== 'alone') send({ id, result: complete(text(`after ${n}`)) });
    return undefined;
  },
});
endWithInput();
