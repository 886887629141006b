import type { ServerState } from '../../../contract/mcp';
import type { ServerReason } from '../../../contract/server-reasons';
import { type Clock, createObservable, type Observable } from '../../foundation';

/** Numbers of one server since the app started. */
export interface ServerMetrics {
  readonly serverId: string;
  readonly name: string;
  readonly state: ServerState;
  readonly responseTimes: readonly { at: number; ms: number }[];
  readonly errors: readonly { at: number; reason: ServerReason }[];
  readonly lastSuccess: number | null;
  readonly upSince: number | null;
  readonly restarts: number;
}

type Numbers = Omit<ServerMetrics, 'serverId' | 'name' | 'state'>;

/** The numbers of one server since the app started. */
export interface Metrics {
  readonly numbers: Observable<Numbers>;
  answered(ms: number): void;
  failed(reason: ServerReason): void;
  up(since: number | null): void;
  restarted(): void;
}

const keptTimes = 120;
const keptErrors = 50;

export function createMetrics(clock: Clock): Metrics {
  const numbers = createObservable<Numbers>({
    responseTimes: [],
    errors: [],
    lastSuccess: null,
    upSince: null,
    restarts: 0,
  });
  const change = (part: (before: Numbers) => Partial<Numbers>) =>
    numbers.update((before) => ({ ...before, ...part(before) }));

  return {
    numbers,
    answered: (ms) =>
      change(({ responseTimes }) => ({
        responseTimes: [...responseTimes.slice(1 - keptTimes), { at: clock.now(), ms }],
        lastSuccess: clock.now(),
      })),
    failed: (reason) =>
      change(({ errors }) => ({ errors: [...errors.slice(1 - keptErrors), { at: clock.now(), reason }] })),
    up: (upSince) => change(() => ({ upSince })),
    restarted: () => change(({ restarts }) => ({ restarts: restarts + 1 })),
  };
}
