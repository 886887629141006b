import { createGuard, createLog, createSchemaChecks } from '../../src/core/foundation';

/** An app of its own, to be killed: it checks what takes long, and says in which process. */
const [, , program = ''] = process.argv;
const log = createLog(() => undefined);
const node = { command: process.execPath, env: {} };
const guard = createGuard({ node, log });
let last = 0;
const watch = (pid: number) => {
  last = pid;
  guard.watch(pid);
};
const schemas = createSchemaChecks({ node, log, program, guard: { ...guard, watch } });
await schemas.check({ unevaluatedItems: true }, 1, 'one');
void schemas.check(
  { unevaluatedItems: true, uniqueItems: true },
  Array.from({ length: 50_000 }, (_, n) => ({ n })),
  'one',
);
setTimeout(() => process.stdout.write(`${last}\n`), 150);
