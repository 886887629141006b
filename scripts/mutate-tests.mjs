// The test runner of scripts/mutate.mjs, in a process of its own: it runs the same tests again for each message, which
// names a file that has changed since, and answers how they ended. To start anew each time took most of the time.
import { join } from 'node:path';
import { createVitest } from 'vitest/node';

const vitest = await createVitest('test', { watch: false, bail: 1, reporters: [{}], testTimeout: 20_000 });
const tests = await vitest.globTestSpecifications(process.argv.slice(2));

process.on('message', async ({ changed }) => {
  for (const file of changed) vitest.invalidateFile(join(process.cwd(), file));
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(tests, false);
  const errors = [
    ...unhandledErrors,
    ...testModules.flatMap((module) => [
      ...module.errors(),
      ...[...module.children.allTests('failed')].flatMap((test) => test.result().errors ?? []),
    ]),
  ];
  const passed = errors.length === 0 && testModules.every((module) => module.ok());
  const inTime = !errors.some(({ message }) => message.includes('timed out'));
  process.send({
    how: passed ? 'passed' : inTime ? 'failed' : 'hung',
    output: errors.map(({ stack, message }) => stack ?? message).join('\n'),
  });
});
process.on('disconnect', () => process.exit());
process.send('ready');
