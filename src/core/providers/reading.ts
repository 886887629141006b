import type { ModelEvent } from './provider';

/** What the pieces of one answer mean. It is fed in order, then told that no more come. */
export interface Reading<Piece> {
  /** Mostly one event or none, so that it may be called a hundred thousand times a second. */
  take(piece: Piece): readonly ModelEvent[];
  /** Throws where the answer can't be over yet. */
  end(): readonly ModelEvent[];
}

/** Pieces on their way, and how they are read. Made by `reads`, which sees that both fit. */
export interface Source {
  readonly pieces: AsyncIterable<unknown>;
  readonly reading: Reading<unknown>;
}

/** The SDKs' own types promise more than vendors send: a reading says what of it may really be there. */
export function reads<Piece>(pieces: AsyncIterable<unknown>, reading: Reading<Piece>): Source {
  return { pieces, reading: reading as Reading<unknown> };
}

/** An answer that came whole, as the pieces that it would have come in. */
export function readsWhole<Piece>(whole: readonly Piece[], reading: Reading<Piece>): Source {
  return reads(oneByOne(whole), reading);
}

async function* oneByOne<Piece>(whole: readonly Piece[]): AsyncGenerator<Piece> {
  yield* whole;
}

/** A source that speaks events already. */
export function readsEvents(events: AsyncIterable<ModelEvent>): Source {
  return reads<ModelEvent>(events, { take: (event) => [event], end: () => [] });
}

const over = { done: true, value: undefined } as const;

/**
 * The events of one source after the other. What goes wrong in a source is thrown into `sources` where it handed that source
 * out. Not a generator, because each layer of async generators makes every delta wait three more times.
 */
export function eventsOf(sources: AsyncGenerator<Source, void>): AsyncIterableIterator<ModelEvent> {
  let pieces: AsyncIterator<unknown> | null = null;
  let reading: Reading<unknown> | null = null;
  let ready: readonly ModelEvent[] = [];
  let at = 0;

  type Result = IteratorResult<ModelEvent, undefined>;

  function next(): Promise<Result> {
    if (at < ready.length) return Promise.resolve(given());
    return pieces ? pieces.next().then(onPiece, onFault) : sources.next().then(onSource);
  }

  function given(): Result {
    const value = ready[at++];
    return value ? { done: false, value } : over;
  }

  function onPiece(piece: IteratorResult<unknown>): Result | Promise<Result> {
    let events: readonly ModelEvent[];
    try {
      events = (piece.done ? reading?.end() : reading?.take(piece.value)) ?? [];
    } catch (error) {
      return onFault(error);
    }
    if (piece.done) pieces = null;
    const [first] = events;
    if (first && events.length === 1) return { done: false, value: first };
    ready = events;
    at = 0;
    return next();
  }

  async function onFault(error: unknown): Promise<Result> {
    leave();
    return onSource(await sources.throw(error));
  }

  function onSource(source: IteratorResult<Source, void>): Result | Promise<Result> {
    if (source.done) return over;
    pieces = source.value.pieces[Symbol.asyncIterator]();
    reading = source.value.reading;
    return next();
  }

  /** Not awaited: what is left may hang, and whoever opened it closes its connection. */
  function leave(): void {
    const left = pieces;
    pieces = null;
    left?.return?.().catch(() => undefined);
  }

  return {
    next,
    async return() {
      ready = [];
      leave();
      await sources.return();
      return over;
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
