import { createHash } from 'node:crypto';
import { endWithInput, serve, text, tool } from './speak.mjs';

/** What it was given may be a key, which an answer does not bring back. */
const fingerprint = (value) => createHash('sha256').update(value).digest('hex');
const answers = {
  env: () => process.env,
  args: () => process.argv.slice(2),
  fingerprints: () => ({
    key: fingerprint(process.env.API_KEY ?? ''),
    args: process.argv.slice(2).map(fingerprint),
  }),
  cwd: () => ({ cwd: process.cwd() }),
};

process.stderr.write(`started with ${process.env.API_KEY}\n`);
serve({
  'tools/list': () => ({ tools: Object.keys(answers).map((name) => tool(name)) }),
  'tools/call': ({ name }) => text(JSON.stringify(answers[name]())),
});
endWithInput();
