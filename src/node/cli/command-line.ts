import type { App } from '../../core/app';
import type { Host } from '../../core/host';
import { isRunning } from '../../core/hosting';
import { printDataTroubles } from './data-troubles';

/** What a command is given instead of reaching for the process. */
export interface CommandLine {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly appRoot: string;
  readonly version: string;
  /** Fires at Ctrl+C or when the system asks the program to end. */
  readonly interrupted: AbortSignal;
  /** Whether a person reads what is printed, and it goes into no file or log. */
  readonly isTerminal: boolean;
  out(text: string): void;
  err(text: string): void;
  /** Keeps the insides of an error that is none of ours where only the log's reader sees them. */
  unexpected(error: unknown): void;
  readInput(): Promise<string>;
  openHost(): Promise<Host>;
  createApp(host: Host): Promise<App>;
}

/** Makes an action of what a command does; what it resolves to is the exit code. */
export type Doing = <A extends unknown[]>(
  work: (...args: A) => Promise<number>,
) => (...args: A) => Promise<void>;

export const exitCodes = {
  ok: 0,
  /** The provider or a tool failed. */
  failed: 1,
  /** The command line was not understood. */
  usage: 2,
  /** Something that was named does not exist or cannot be used. */
  notFound: 3,
  /** Another instance holds the data folder. */
  running: 4,
  interrupted: 130,
} as const;

/**
 * Opens the application for one command and closes it, whatever happens. `asGuest`: where one runs already, that one goes on
 * telling who changed which note. What is wrong with the app's own data is said here: the command may be the first to see it, and
 * what it repairs nobody sees again.
 */
export async function withApp<T>(
  commandLine: CommandLine,
  work: (app: App) => Promise<T>,
  { asGuest = false, json = false }: { asGuest?: boolean; json?: boolean } = {},
): Promise<T> {
  const host = await commandLine.openHost();
  const isGuest = asGuest && isRunning(host.dataFolder);
  const app = await commandLine.createApp({ ...host, isGuest });
  const leaveTroubles = printDataTroubles(app.notices.list, commandLine.err, json);
  try {
    return await work(app);
  } finally {
    await app.close();
    leaveTroubles();
  }
}
