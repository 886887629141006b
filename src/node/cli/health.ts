import { isAppError } from '../../contract/errors';
import type { ServerEntry } from '../../contract/mcp';
import { reasonWords } from '../../contract/server-reasons';
import { type ServerCondition, serverCondition, standingOf } from '../../contract/server-state';
import { serverStateWords } from '../../contract/server-state-words';
import type { App } from '../../core/app';
import { type CommandLine, exitCodes } from './command-line';
import { byName, type InVault, linesOr, printed, runWithVault } from './with-vault';

/** How long one server may take to come up before it counts as silent. */
const timeoutMs = 15_000;

/** What was found when a server was started and asked. */
export interface Checked {
  readonly server: ServerEntry;
  readonly condition: ServerCondition;
  /** Milliseconds until it could be used; null: it cannot, or was not asked. */
  readonly ms: number | null;
  readonly reason: string | null;
}

/** Starts what is on, each for itself, and says how it is afterwards. */
export function checkServers(
  app: App,
  servers: readonly ServerEntry[],
  { interrupted }: Pick<CommandLine, 'interrupted'>,
): Promise<Checked[]> {
  return Promise.all(
    servers.map(async ({ id, state }) => {
      const began = performance.now();
      let failure: unknown = null;
      if (standingOf(state).on) {
        const signal = AbortSignal.any([interrupted, AbortSignal.timeout(timeoutMs)]);
        failure = await app.mcp.ready(id, signal).then(
          () => null,
          (error: unknown) => error,
        );
      }
      const server = byName(app, id);
      const condition = serverCondition(server.state);
      const isUp = standingOf(state).on && failure === null;
      const reason =
        isAppError(failure) && !isAppError(failure, 'request.cancelled') ? failure.message : null;
      const ms = isUp ? Math.round(performance.now() - began) : null;
      return {
        server,
        condition,
        ms,
        reason: 'reason' in server.state ? reasonWords(server.state.reason) : reason,
      };
    }),
  );
}

export function healthWords({ condition, ms, reason, server }: Checked): string {
  const tools = server.tools === null ? null : `${server.tools} ${server.tools === 1 ? 'tool' : 'tools'}`;
  const time = ms === null ? null : `up in ${ms} ms`;
  const why = condition === 'off' ? null : reason;
  return [serverStateWords[condition], tools, time, why].filter((part) => part !== null).join(', ');
}

export const healthFacts = ({ condition, ms, reason, server }: Checked) => ({
  health: standingOf(server.state).health,
  condition,
  ms,
  reason,
  tools: server.tools,
});

/** Starts every server that is on, or one, and says how they are; fails where one is in trouble. */
export function health(
  name: string | undefined,
  options: InVault,
  commandLine: CommandLine,
): Promise<number> {
  return runWithVault(options, commandLine, async (app) => {
    const all = app.mcp.servers.get().servers;
    const checked = await checkServers(app, name === undefined ? all : [byName(app, name)], commandLine);
    printed(
      options,
      commandLine,
      checked.map((one) => ({ name: one.server.name, ...healthFacts(one) })),
      () =>
        linesOr(
          checked.map((one) => `${one.server.name}\t${healthWords(one)}`),
          'No servers are configured.',
        ),
    );
    const isWell = ({ server, condition }: Checked) =>
      condition === 'off' || ['serves', 'slow'].includes(standingOf(server.state).health);
    return checked.every(isWell) ? exitCodes.ok : exitCodes.failed;
  });
}
