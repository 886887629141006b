import type { Connection } from '../client/connection';

/** Null: it could not be asked. */
interface Counts {
  readonly resources: number | null;
  readonly prompts: number | null;
}

/** How many resources and prompts a server has, counted anew when it says that something changed. */
export interface OfferCounts {
  /** Several changes in a row make one more count, not several. */
  refresh(): void;
}

export function createOfferCounts(
  current: () => Connection | null,
  onCounts: (counts: Counts) => void,
): OfferCounts {
  /** Whose resources and prompts are being counted. */
  let source: Connection | null = null;
  let isStale = false;

  async function count(connection: Connection): Promise<void> {
    do {
      isStale = false;
      const [resources, prompts] = await Promise.all([
        connection.count('resources'),
        connection.count('prompts'),
      ]);
      if (current() === connection) onCounts({ resources, prompts });
    } while (isStale && current() === connection);
  }

  return {
    refresh() {
      isStale = true;
      const connection = current();
      if (connection === null || source === connection) return;
      source = connection;
      void count(connection).finally(() => {
        if (source === connection) source = null;
      });
    },
  };
}
