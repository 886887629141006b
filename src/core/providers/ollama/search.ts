import type { ProviderConfig } from '../../../contract/providers';
import type { Clock } from '../../foundation';
import type { Fetch } from '../transport';
import { findOllama } from './find';

/** An Ollama that nobody configured. */
export interface OllamaSearch {
  /** Null until one is found. */
  result(): ProviderConfig | null;
  start(): void;
  /** It may have been started, or have got its first model, after this app. */
  lookAgain(): Promise<void>;
}

/** What is not there is looked for at each pause of typing, but not more often than this. */
const betweenLooksMs = 2_000;

export function createOllamaSearch({
  fetch,
  environment,
  clock,
  onFound,
}: {
  readonly fetch: Fetch;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly onFound: () => void;
}): OllamaSearch {
  let config: ProviderConfig | null = null;
  let lookedAt = 0;
  let looking = Promise.resolve();

  async function look(): Promise<void> {
    const place = await findOllama({ fetch, environment });
    lookedAt = clock.now();
    if (!place) return;
    const { baseUrl, model } = place;
    config = { id: 'ollama', vendor: 'ollama', tag: 'Ollama', model, baseUrl };
    onFound();
  }

  return {
    result: () => config,
    start() {
      looking = look();
    },
    async lookAgain() {
      await looking;
      if (config === null && clock.now() - lookedAt >= betweenLooksMs) looking = look();
      await looking;
    },
  };
}
