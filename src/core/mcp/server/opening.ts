import type { ServerReason } from '../../../contract/server-reasons';
import { orCancelled, within } from '../../foundation';
import type { Connection } from '../client/connection';
import type { OpenParts } from '../client/open-connection';
import type { Launch } from '../config/launch';
import { initTimeoutOf, originOf, type ServerConfig } from '../config/server-config';
import { ProgramError } from '../fence/program-error';
import type { Catalog } from './catalog';
import type { Offered } from './offers';
import type { ServerLog } from './server-log';

/** How the host opens a connection to a server. */
export interface OpenHost {
  /** Fills in the variables. Throws `mcp.invalid-config` naming those that are not set. */
  resolve(config: ServerConfig): Promise<Launch>;
  open(
    launch: Launch & { config: ServerConfig },
    io: Pick<OpenParts, 'events' | 'onAttempt' | 'onStderr' | 'onJunk' | 'signal'>,
  ): Promise<Connection>;
}

/** Where that goes which a connection tells of. */
interface Receivers {
  readonly catalog: Catalog;
  readonly offered: Offered;
  readonly log: ServerLog;
  /** What was started for a connection. */
  readonly origins: WeakMap<Connection, string>;
  /** The server wrote a line that is no message. */
  onNoise(line: string): void;
}

/** Opens a connection and asks for its tools; one whose tools cannot be asked for is closed again. */
export async function openWithTools(
  host: OpenHost,
  config: ServerConfig,
  receivers: Receivers,
  { signal, onClosed }: { signal: AbortSignal; onClosed(reason: ServerReason): void },
): Promise<Connection> {
  const { catalog, offered, log, origins, onNoise } = receivers;
  const launch = await launchInTime(host.resolve(config), config, signal);
  const connection = await host.open(
    { ...launch, config },
    {
      events: {
        onToolsChanged: () => catalog.toolsChanged(),
        onOffersChanged() {
          offered.forget();
          catalog.offersChanged();
        },
        onResourceUpdated: (uri) => offered.updated(uri),
        onLog: (text, level) => (level === null ? log.add('app', text) : log.message(text)),
        onClosed,
      },
      signal,
      onAttempt: log.mark,
      onStderr: (line) => log.add('stderr', line),
      onJunk(line, count) {
        onNoise(line);
        // The first ones tell what is wrong; a flood of them tells nothing more.
        if (count <= 5) log.add('app', `Not a message, left out: ${line.slice(0, 200)}`);
        else if (count % 1000 === 0) log.add('app', `${count} lines that are no messages were left out.`);
      },
    },
  );
  origins.set(connection, originOf(config));
  try {
    await orCancelled(catalog.load(connection), signal);
  } catch (error) {
    catalog.clear();
    await connection.close();
    throw error;
  }
  return connection;
}

/** A key store may ask a person to unlock it, and may never answer. */
export async function launchInTime(
  launch: Promise<Launch>,
  config: Pick<ServerConfig, 'draft'>,
  signal: AbortSignal,
): Promise<Launch> {
  const ms = initTimeoutOf(config);
  if (!(await orCancelled(within(launch, ms), signal))) throw new ProgramError({ code: 'no-keys', ms });
  return launch;
}
