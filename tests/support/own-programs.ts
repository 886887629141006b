import { join } from 'node:path';
import { createGuard, createLog, createSchemaChecks } from '../../src/core/foundation';

/** As plain Node runs it. */
export const schemaProgram = join(import.meta.dirname, '../../src/core/foundation/schema/check-program.ts');

/** What the app lends its servers and tools of programs of its own: none of them is started before it is needed. */
export function createOwnPrograms(log = createLog(() => undefined)) {
  const node = { command: process.execPath, env: {} };
  const guard = createGuard({ node, log });
  const schemas = createSchemaChecks({ node, guard, program: schemaProgram, log });
  return {
    parts: { node, guard, schemas },
    async close() {
      await schemas.close();
      guard.close();
    },
  };
}
