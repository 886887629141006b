import { createLog, systemClock } from '../../src/core/foundation';
import type { Host } from '../../src/core/host';
import { createMcp } from '../../src/core/mcp';
import { createOwnPrograms } from '../support/own-programs';

/** An app of its own, to be killed: starts the servers of a data folder and says when they are up. */
const [, , data = '', vault = '', sandboxProgram] = process.argv;
const host = {
  info: { version: '0.0.0' },
  dataFolder: data,
  vaultServer: { command: process.execPath, args: ['-e', ''], env: {} },
  ...(sandboxProgram && { sandboxProgram }),
  environment: process.env,
  log: createLog(() => undefined),
  clock: systemClock,
  secrets: { get: async () => null },
} as unknown as Host;
const programs = createOwnPrograms();
const mcp = createMcp({ host, log: host.log, ...programs.parts });
await mcp.useVault({ root: vault, pins: null });
for (const { id, level } of mcp.servers.get().servers) if (level === 'user') await mcp.ready(id);
const answers = await Promise.all(
  mcp.tools
    .get()
    .map(({ serverId, name }) =>
      mcp.call(
        serverId,
        name,
        {},
        { seen: null, timeoutMs: 5_000, longRunning: false, signal: new AbortController().signal },
      ),
    ),
);
const pids = answers.flatMap(({ parts }) =>
  parts.flatMap((part) => (part.kind === 'text' ? part.text.split(' ') : [])),
);
process.stdout.write(`${pids.join(' ')}\n`);
