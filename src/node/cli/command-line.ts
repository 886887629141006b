import type { App } from '../../core/app';
import type { Host } from '../../core/host';

/** What a command is given instead of reaching for the process. */
export interface CommandLine {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly appRoot: string;
  readonly version: string;
  /** Fires at Ctrl+C or when the system asks the program to end. */
  readonly interrupted: AbortSignal;
  out(text: string): void;
  err(text: string): void;
  /** Keeps the insides of an error that is none of ours where only the log's reader sees them. */
  unexpected(error: unknown): void;
  readInput(): Promise<string>;
  openHost(): Promise<Host>;
  createApp(host: Host): Promise<App>;
}

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

/** Opens the application for one command and closes it, whatever happens. */
export async function withApp<T>(commandLine: CommandLine, work: (app: App) => Promise<T>): Promise<T> {
  const app = await commandLine.createApp(await commandLine.openHost());
  try {
    return await work(app);
  } finally {
    await app.close();
  }
}
