import type { Clock } from '../../foundation';

const mostAnswers = 100;

/** Answers of one server, each for as long as the server said that it holds; without such a word no time at all. */
export interface AnswerCache {
  get<T>(key: string, ask: () => Promise<{ value: T; ttlMs: number | null }>): Promise<T>;
  /** Nothing holds any more, nor what is on its way. */
  clear(): void;
}

/** `isHuge`: it is never held. */
export function createAnswerCache(
  clock: Pick<Clock, 'now'>,
  isHuge: (value: unknown) => boolean,
): AnswerCache {
  const answers = new Map<string, { readonly until: number; readonly value: unknown }>();
  let generation = 0;
  return {
    async get<T>(key: string, ask: () => Promise<{ value: T; ttlMs: number | null }>) {
      const entry = answers.get(key);
      if (entry && clock.now() < entry.until) return entry.value as T;
      answers.delete(key);
      const before = generation;
      const { value, ttlMs } = await ask();
      if (ttlMs !== null && ttlMs > 0 && generation === before && !isHuge(value)) {
        answers.set(key, { until: clock.now() + ttlMs, value });
        const [oldest] = answers.keys();
        if (answers.size > mostAnswers && oldest !== undefined) answers.delete(oldest);
      }
      return value;
    },
    clear() {
      generation++;
      answers.clear();
    },
  };
}
