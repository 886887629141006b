import { type Clock, createObservable, type Observable } from '../../foundation';
import { born, isUp, type Life, type LifeEvent, next } from './lifecycle';

const minuteMs = 60_000;

/** A server's life as it goes on: each event leads to the next state, and each state to what it needs. */
export interface ServerLife {
  readonly life: Observable<Life>;
  dispatch(event: LifeEvent): void;
  /** Nothing starts it any more. */
  end(): void;
}

export function createServerLife({
  clock,
  open,
  abort,
  drop,
}: {
  clock: Clock;
  /** A connection is to be opened. */
  open(): void;
  /** The one that is being opened is no longer needed. */
  abort(): void;
  /** The one that is there is no longer needed. */
  drop(): void;
}): ServerLife {
  const life = createObservable<Life>(born);
  let cancelRetry: () => void = () => undefined;
  let cancelMinute: () => void = () => undefined;
  let hasEnded = false;

  function dispatch(event: LifeEvent): void {
    if (hasEnded && event.kind === 'start') return;
    const before = life.get();
    const after = next(before, event);
    if (after === before) return;
    life.set(after);
    const { state } = after;
    if (before.state.kind === 'waiting') cancelRetry();
    if (isUp(before.state) && !isUp(state)) drop();
    if (before.state.kind === 'starting' && !isUp(state)) abort();
    if (state.kind !== 'ready') cancelMinute();
    else if (before.state.kind !== 'ready')
      cancelMinute = clock.after(minuteMs, () => dispatch({ kind: 'healthy-minute' }));
    if (state.kind === 'starting') open();
    if (state.kind === 'waiting')
      cancelRetry = clock.after(Math.max(0, state.retryAt - clock.now()), () => dispatch({ kind: 'retry' }));
  }

  return {
    life,
    dispatch,
    end() {
      hasEnded = true;
    },
  };
}
