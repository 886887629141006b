import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';

test('what nobody caught is logged and told, and the program goes on', async () => {
  const source = stripTypeScriptTypes(readFileSync(join(import.meta.dirname, 'keep-running.ts'), 'utf8'));
  const program = `${source}
    const said = [];
    keepRunning({ error: (event, { error }) => said.push(error.message) }, { notices: { add: ({ code }) => said.push(code) } });
    setTimeout(() => { throw new Error('thrown'); });
    setTimeout(() => Promise.reject(new Error('rejected')), 1);
    setTimeout(() => console.log(said.join(' ')), 50);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program]);
  const [said, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  expect(said.trim()).toBe('thrown fault rejected fault');
  expect(code).toBe(0);
});
