import { createLog, systemClock } from '../../src/core/foundation';
import type { Host } from '../../src/core/host';
import { createMcp } from '../../src/core/mcp';
import { createSecretStore } from '../../src/core/settings';
import { createOwnPrograms } from '../support/own-programs';

/** An app of its own with the data folder of others. Its browser signs in without a person; orders come from the test. */
const [, , data = '', vault = ''] = process.argv;
const log = createLog(() => undefined);
const host = {
  info: { version: '0.0.0' },
  dataFolder: data,
  vaultServer: { command: process.execPath, args: ['-e', ''], env: {} },
  environment: process.env,
  log,
  clock: systemClock,
  secrets: await createSecretStore({
    folder: data,
    log,
    onWarning: () => undefined,
    keyring: async () => null,
  }),
  openExternal: async (url: string) => void fetch(url).catch(() => undefined),
} as unknown as Host;
const programs = createOwnPrograms();
const mcp = createMcp({ host, log, ...programs.parts });
const signal = new AbortController().signal;
const guarded = () => mcp.find('guarded')?.id ?? '';

const orders: Record<string, () => Promise<unknown>> = {
  signIn: () => mcp.signIn(guarded(), 'browser', signal),
  signOut: () => mcp.signOut(guarded()),
  call: async () => {
    const options = { seen: null, timeoutMs: 20_000, longRunning: false, signal };
    return (await mcp.call(guarded(), 'x', {}, options)).isError;
  },
  close: () => mcp.close().then(programs.close),
};

process.on('message', (order: string) => {
  orders[order]?.().then(
    (answer) => process.send?.({ order, answer: answer ?? null }),
    (error: unknown) => process.send?.({ order, error: String(error) }),
  );
});
const show = () =>
  process.send?.({
    state: mcp.find('guarded')?.state.kind ?? null,
    signedIn: mcp.find('guarded')?.signIn?.signedIn ?? null,
  });
mcp.servers.onChange(show);
await mcp.useVault({ root: vault, pins: null });
show();
