import { expect, test } from 'vitest';
import { createStdioTransport } from '../../src/core/mcp/transports/stdio';

/** Milliseconds until a program that takes no notice of its standard input was ended. */
async function stopped(program: string, isReady: (line: string) => boolean): Promise<number> {
  const ready = Promise.withResolvers<void>();
  const transport = createStdioTransport({
    command: process.execPath,
    args: ['-e', `setInterval(() => {}, 1_000); ${program}`],
    cwd: undefined,
    environment: { PATH: process.env.PATH ?? '' },
    guard: { watch: () => undefined, release: () => undefined, close: () => undefined },
    enclosure: null,
    onStderr: (line) => isReady(line) && ready.resolve(),
    onJunk: (line) => isReady(line) && ready.resolve(),
  });
  await transport.start();
  await ready.promise;
  const began = performance.now();
  await transport.close();
  return performance.now() - began;
}

test('a program that has not said anything is ended at once, one that has may end by itself first', async () => {
  const starting = await stopped('console.error("here")', () => true);
  const speaking = await stopped('console.log("here")', () => true);
  // The time that the second one is given; how long ending takes is in both.
  expect(speaking - starting).toBeGreaterThan(400);
});
