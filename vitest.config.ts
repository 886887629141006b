import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

// What the start-up files of the machine's own shell do is not tried here.
process.env.SHELL = '/bin/sh';

export default defineConfig({
  test: {
    globalSetup: 'tests/support/no-process-left.ts',
    // Most of the longer tests wait, for processes and for time.
    maxWorkers: Math.max(3, availableParallelism() - 1),
    // To load the same modules anew for each file took as long as to run what is in them.
    isolate: false,
    projects: [
      {
        test: {
          name: 'unit',
          include: ['src/**/*.test.ts', 'src/**/*.test.tsx'],
          // A busy machine is slow, not wrong.
          testTimeout: 30_000,
          expect: { poll: { timeout: 20_000 } },
        },
      },
      {
        test: {
          name: 'integration',
          include: ['tests/**/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          expect: { poll: { timeout: 20_000 } },
        },
      },
    ],
  },
});
