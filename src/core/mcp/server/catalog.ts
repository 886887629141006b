import type { ServerFault } from '../../../contract/server-faults';
import { type Clock, createObservable, type Observable } from '../../foundation';
import type { Connection } from '../client/connection';
import { faultOf, needsSignIn } from '../client/failures';
import type { ListedTool, ToolList } from '../features/tool-list';
import { createOfferCounts } from './offer-counts';
import { isForgotten } from './over-session';

/** What one server offers. Null: it has not been asked, which is not the same as none. */
export interface Offers {
  readonly tools: ToolList | null;
  readonly resources: number | null;
  readonly prompts: number | null;
  /** Why the tools could not be listed. */
  readonly problem: ServerFault | null;
}

/**
 * Asks once when a connection is there, and again only when the server says that something changed, or when somebody
 * wants to use a list that is older than the server said it holds.
 */
export interface Catalog {
  readonly offers: Observable<Offers>;
  tool(name: string): ListedTool | undefined;
  /** Rejects only where the server wants a sign-in first. */
  load(connection: Connection): Promise<void>;
  toolsChanged(): void;
  isListing(): boolean;
  /** Once the list that is asked for is there. Never rejects. */
  listed(): Promise<void>;
  /** To be called before the tools are used. Never rejects: an old list is better than none. */
  freshen(): Promise<void>;
  offersChanged(): void;
  clear(): void;
}

const none: Offers = { tools: null, resources: null, prompts: null, problem: null };
const listMs = 30_000;
/** A list that no server announces changes of is not asked for more often, however short it is said to hold. */
const leastTtlMs = 60_000;

/** One closure: the list, whose it is and whether it still holds change together. */
export function createCatalog({
  clock,
  onChange,
  onSignIn,
  onSessionLost,
}: {
  clock: Pick<Clock, 'now'>;
  onChange(): void;
  /** The server wants a sign-in in the middle of its life. */
  onSignIn(): void;
  /** The server has forgotten its session: a new one lists anew. */
  onSessionLost(connection: Connection): void;
}): Catalog {
  const offers = createObservable<Offers>(none);
  let byName = new Map<string, ListedTool>();
  let current: Connection | null = null;
  let listing: Promise<void> | null = null;
  let isStale = false;
  let freshUntil = Number.POSITIVE_INFINITY;

  function set(change: Partial<Offers>): void {
    offers.update((before) => ({ ...before, ...change }));
    if (change.tools) byName = new Map(change.tools.tools.map((tool) => [tool.name, tool]));
    onChange();
  }

  async function list(connection: Connection): Promise<void> {
    do {
      isStale = false;
      try {
        const { ttlMs, ...tools } = await connection.listTools(listMs);
        if (current !== connection) continue;
        freshUntil = clock.now() + lastingOf(ttlMs, connection);
        set({ tools, problem: null });
      } catch (error) {
        if (needsSignIn(error)) throw error;
        if (await isForgotten(connection, error)) onSessionLost(connection);
        if (current === connection) set({ problem: { code: 'not-listed', why: faultOf(error) } });
      }
    } while (isStale && current === connection);
  }

  /** Several changes in a row make one more listing, not several. */
  function refresh(): Promise<void> {
    isStale = true;
    if (!current) return Promise.resolve();
    listing ??= list(current).finally(() => {
      listing = null;
    });
    return listing;
  }

  const counts = createOfferCounts(() => current, set);

  return {
    offers,
    tool: (name) => byName.get(name),
    async load(connection) {
      current = connection;
      listing = null;
      await refresh();
      counts.refresh();
    },
    async freshen() {
      if (current === null || clock.now() < freshUntil) return;
      // Also where it fails: it is not asked again for each use.
      freshUntil = clock.now() + leastTtlMs;
      await refresh().catch(onSignIn);
    },
    toolsChanged: () => void refresh().catch(onSignIn),
    isListing: () => listing !== null,
    listed: async () => listing?.catch(() => undefined),
    offersChanged: counts.refresh,
    clear() {
      if (current === null) return;
      current = null;
      byName = new Map();
      offers.set(none);
      onChange();
    },
  };
}

/** Where changes are announced, a list that is said to hold no time holds until one is. */
function lastingOf(ttlMs: number | null, { announces }: Connection): number {
  if (ttlMs === null || (ttlMs === 0 && announces.tools)) return Number.POSITIVE_INFINITY;
  return announces.tools ? ttlMs : Math.max(leastTtlMs, ttlMs);
}
