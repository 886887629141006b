import type { Client, ServerCapabilities } from '@modelcontextprotocol/client';
import type { AppError } from '../../../contract/errors';
import type { CheckOutput } from '../features/call-result';
import { callFailure } from './failures';
import type { ServerRequests } from './server-requests';

/** A server with which hands were shaken: what every question to it needs. */
export interface Session {
  readonly serverId: string;
  readonly client: Client;
  readonly era: 'legacy' | 'modern';
  /** What the server says that it can. */
  readonly offers: ServerCapabilities;
  readonly requests: ServerRequests;
  readonly checkOutput: CheckOutput;
  /** What goes with every request. */
  meta(): { readonly _meta?: Record<string, unknown> };
  /** What ended the connection, where that says more than "closed". */
  fatal(): Error | null;
  /** The server waits for a person. */
  isAsking(): boolean;
}

/** The failure of one request over this session, as the rest of the core knows it. */
export const failureIn = (
  { serverId, fatal }: Pick<Session, 'serverId' | 'fatal'>,
  error: unknown,
  call: Omit<Parameters<typeof callFailure>[1], 'serverId' | 'fatal'>,
): AppError => callFailure(error, { ...call, serverId, fatal: fatal() });
