import { AppError } from '../../../contract/errors';
import type { ResourceContent } from '../../../contract/mcp';
import type { ResourceLink } from '../../../markdown';
import { type Clock, cutTo, type Inert, inertInTurns } from '../../foundation';
import type { Attachment } from '../../providers';

/** The resources of servers, for messages that link to it. */
export interface ResourceServers {
  /** Null where no server is called that. */
  server(nameOrId: string): { readonly id: string; readonly isReady: boolean } | null;
  /** Starts the server where needed. Throws why it cannot be read. */
  read(serverId: string, uri: string, signal: AbortSignal): Promise<ResourceContent[]>;
}

/** A resource as it goes with a message; `problem` says why it does not. */
export type ResourceResult =
  | { readonly kind: 'read'; readonly text: Inert; readonly attachments: readonly Attachment[] }
  | { readonly kind: 'not-read'; readonly problem: string };

/**
 * `now`: read anew, as an answer needs it; throws why that cannot be. `glance`: what is known of it, for looking only: no server
 * is started, and none is asked again within a minute.
 */
export interface ResourceShelf {
  /** As `now`, with the reason as a value. */
  again(link: ResourceLink, signal: AbortSignal): Promise<ResourceResult>;
  now(link: ResourceLink, signal: AbortSignal): Promise<ResourceResult>;
  glance(link: ResourceLink, signal: AbortSignal): Promise<ResourceResult>;
}

const remembered = 60_000;
const most = 50;
/** Characters: more than any model reads with a message. */
const longest = 4_000_000;

export function createResourceShelf(parts: {
  readonly resourceServers: ResourceServers;
  readonly clock: Clock;
}): ResourceShelf {
  const { resourceServers, clock } = parts;
  const shelf = new Map<string, { readonly at: number; readonly result: ResourceResult }>();
  const keyOf = ({ server, uri }: ResourceLink) => `${server} ${uri}`;

  function keep(link: ResourceLink, entry: ResourceResult): ResourceResult {
    shelf.delete(keyOf(link));
    shelf.set(keyOf(link), { at: clock.now(), result: entry });
    const [oldest] = shelf.keys();
    if (shelf.size > most && oldest !== undefined) shelf.delete(oldest);
    return entry;
  }

  async function now(link: ResourceLink, signal: AbortSignal): Promise<ResourceResult> {
    const server = resourceServers.server(link.server);
    if (!server)
      throw new AppError('mcp.unknown-server', `${nameOf(link)}: no server is called “${link.server}”.`, {
        serverId: link.server,
      });
    try {
      return keep(link, await resultOf(await resourceServers.read(server.id, link.uri, signal)));
    } catch (error) {
      if (!(error instanceof AppError) || signal.aborted) throw error;
      const message = `${nameOf(link)} could not be read from “${link.server}”. ${error.message}`;
      throw new AppError(error.code, message, error.details);
    }
  }

  async function again(link: ResourceLink, signal: AbortSignal): Promise<ResourceResult> {
    try {
      return await now(link, signal);
    } catch (error) {
      return { kind: 'not-read', problem: error instanceof Error ? error.message : String(error) };
    }
  }

  return {
    now,
    again,
    async glance(link, signal) {
      const previous = shelf.get(keyOf(link));
      if (previous && clock.now() - previous.at < remembered) return previous.result;
      if (resourceServers.server(link.server)?.isReady === false)
        return {
          kind: 'not-read',
          problem: `“${link.server}” does not run now; it is started when you ask.`,
        };
      const entry = await again(link, signal);
      return entry.kind === 'read' || signal.aborted ? entry : keep(link, entry);
    },
  };
}

const nameOf = ({ name, uri }: ResourceLink) => (name === '' ? uri : `“${name}”`);

async function resultOf(contents: readonly ResourceContent[]): Promise<ResourceResult> {
  if (contents.length === 0) return { kind: 'not-read', problem: 'The server sent nothing for it.' };
  const texts = contents.flatMap(({ text }) => (text === null ? [] : [text]));
  return {
    kind: 'read',
    text: await inertInTurns(cutTo(texts.join('\n\n').trim(), longest)),
    attachments: contents.flatMap(({ base64, mediaType, uri }) =>
      base64 === null
        ? []
        : [{ mediaType: mediaType ?? 'application/octet-stream', base64, name: uri.split('/').pop() || uri }],
    ),
  };
}
