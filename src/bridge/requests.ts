import { AppError } from '../contract/errors';
import type { AnswerFrame, ClientFrame } from './frames';

/** Whoever asked. */
export interface Asker {
  /** Whether it may be done late. */
  readonly waits: boolean;
  received(frame: AnswerFrame): void;
  failed(error: AppError): void;
}

interface OpenRequest extends Asker {
  waits: boolean;
}

/** What is asked over one wire, until it is answered. */
export interface Requests {
  start(
    request: { readonly t: 'call' | 'open'; readonly op: string; readonly input: unknown },
    asker: Asker,
    signal?: AbortSignal,
  ): { cancel(): void; more(): void };
  received(frame: AnswerFrame): void;
  /** All of it fails, and what is asked from now on, each with the error of the first time. */
  fail(error: AppError): void;
  /** Takes back what does not wait. */
  takeBack(error: AppError): void;
}

export function createRequests(send: (frame: ClientFrame) => void): Requests {
  const open = new Map<number, OpenRequest>();
  let lastId = 0;
  let failure: AppError | undefined;

  return {
    start({ t, op, input }, asker, signal) {
      const id = ++lastId;
      const forget = () => {
        signal?.removeEventListener('abort', cancel);
        return open.delete(id);
      };
      const cancel = () => {
        if (!forget()) return;
        send({ t: 'cancel', id });
        asker.failed(cancelled());
      };
      const more = () => {
        if (open.has(id)) send({ t: 'more', id });
      };
      if (failure) asker.failed(failure);
      else if (signal?.aborted) asker.failed(cancelled());
      else {
        const request: OpenRequest = {
          waits: asker.waits,
          failed: (error) => {
            forget();
            asker.failed(error);
          },
          received: (frame) => {
            // A stream that has begun goes on by itself.
            if (frame.t === 'item' || frame.t === 'change') request.waits = true;
            else forget();
            asker.received(frame);
          },
        };
        open.set(id, request);
        signal?.addEventListener('abort', cancel);
        send({ t, id, op, input });
      }
      return { cancel, more };
    },
    received: (frame) => open.get(frame.id)?.received(frame),
    fail(error) {
      failure ??= error;
      for (const request of [...open.values()]) request.failed(failure);
      open.clear();
    },
    takeBack(error) {
      for (const [id, request] of [...open]) {
        if (request.waits) continue;
        send({ t: 'cancel', id });
        request.failed(error);
      }
    },
  };
}

export function cancelled(): AppError<'request.cancelled'> {
  return new AppError('request.cancelled', 'Cancelled.', {});
}
