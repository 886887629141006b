import { expect, test } from 'vitest';
import { createStdioTransport } from '../../src/core/mcp/transports/stdio';
import { ends, isAlive } from './setup';

const sleeper = 'console.log(process.pid); setInterval(() => undefined, 1000)';
const program = `require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(sleeper)}], { detached: true, stdio: ['ignore', 'inherit', 'ignore'] }); setInterval(() => undefined, 1000)`;

test.skipIf(process.platform !== 'linux')(
  'on Linux: what was seen below a program, in a session of its own, is gone after the program was killed',
  async () => {
    const below = Promise.withResolvers<number>();
    const seen = Promise.withResolvers<readonly number[]>();
    const closed = Promise.withResolvers<void>();
    const transport = createStdioTransport({
      command: process.execPath,
      args: ['-e', program],
      cwd: undefined,
      environment: { PATH: process.env.PATH ?? '' },
      guard: {
        watch: (_pid, descendants = []) =>
          descendants.length > 0 && seen.resolve(descendants.map(({ pid }) => pid)),
        release: () => undefined,
        close: () => undefined,
      },
      enclosure: null,
      onStderr: () => undefined,
      onJunk: (line) => below.resolve(Number(line)),
    });
    transport.onclose = () => closed.resolve();
    await transport.start();
    const pid = await below.promise;
    expect(await seen.promise).toEqual([pid]);
    expect(isAlive(pid)).toBe(true);
    process.kill(transport.pid ?? 0, 'SIGKILL');
    await closed.promise;
    expect(await ends(pid)).toBe(true);
  },
);
