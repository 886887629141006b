import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

// What the start-up files of the machine's own shell do is not tried here.
process.env.SHELL = '/bin/sh';

/** Many processes, many kills, long floods: `npm test` runs them, `npm run unit` does not. */
const long = [
  'tests/chat/identity.test.ts',
  'tests/hosts/damaged-data.test.ts',
  'tests/mcp/{bad-servers,flood,malformed,real-servers}.test.ts',
  'tests/hosts/recover-command.test.ts',
  'tests/notes/{disks,model,writers}.test.ts',
  'tests/notes/kill/kill.test.ts',
  'tests/providers/places.test.ts',
  'tests/vault-server/{many-processes,record-places}.test.ts',
  'tests/versions/command-line.test.ts',
  'tests/whole/{ask-events,hostile-text,kill,soak}.test.ts',
];

/** A busy machine is slow, not wrong. `npm run mutate` has failures said sooner. */
const poll = { timeout: Number(process.env.POLL_MS ?? 20_000) };

/** Only there: to load it for each file takes time. */
const seeded = process.env.FUZZ_SEED === undefined ? {} : { setupFiles: 'tests/support/fuzz-seed.ts' };

const processes = {
  ...seeded,
  testTimeout: 60_000,
  hookTimeout: 60_000,
  expect: { poll },
};

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
          ...seeded,
          name: 'unit',
          include: ['src/**/*.test.ts', 'src/**/*.test.tsx'],
          testTimeout: 30_000,
          expect: { poll },
        },
      },
      {
        test: {
          ...processes,
          name: 'integration',
          include: ['tests/**/*.test.ts'],
          exclude: long,
        },
      },
      { test: { ...processes, name: 'long', include: long } },
    ],
  },
});
