import type { ServerReason } from '../../../contract/server-reasons';
import { within } from '../../foundation';
import type { Connection } from '../client/connection';

const closeMs = 6_000;

/** The place of the one connection of a server: the next one is opened only when everything of the last is gone. */
export interface ConnectionSlot {
  current(): Connection | null;
  open(): void;
  /** The one that is being opened is no longer needed. */
  abort(): void;
  /** Closes the one that is there. */
  drop(): void;
  whenEmpty(): Promise<unknown>;
}

export function createConnectionSlot({
  open,
  onOpen,
  onClosed,
  onFailure,
}: {
  open(signal: AbortSignal, onClosed: (reason: ServerReason) => void): Promise<Connection>;
  /** What it throws is a failure like one of opening. */
  onOpen(connection: Connection): void;
  /** It ended by itself, which may be before it was open. */
  onClosed(reason: ServerReason): void;
  onFailure(error: unknown): void;
}): ConnectionSlot {
  let connection: Connection | null = null;
  let opening: AbortController | null = null;
  let empty: Promise<unknown> = Promise.resolve();

  async function openAfter(previous: Promise<unknown>, signal: AbortSignal): Promise<void> {
    await previous;
    if (signal.aborted) return;
    try {
      let endedEarly: ServerReason | null = null;
      let isOurs = false;
      const candidate = await open(signal, (reason) => {
        if (isOurs && connection === candidate) onClosed(reason);
        else endedEarly = reason;
      });
      if (signal.aborted) return await candidate.close();
      if (endedEarly !== null) return onClosed(endedEarly);
      isOurs = true;
      connection = candidate;
      onOpen(candidate);
    } catch (error) {
      if (!signal.aborted) onFailure(error);
    }
  }

  return {
    current: () => connection,
    open() {
      const mine = new AbortController();
      opening = mine;
      empty = openAfter(empty, mine.signal);
    },
    abort: () => opening?.abort(),
    drop() {
      const old = connection;
      connection = null;
      if (!old) return;
      const previous = empty;
      empty = previous.then(() => within(old.close(), closeMs)).catch(() => undefined);
    },
    whenEmpty: () => empty,
  };
}
