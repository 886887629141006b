import type { z } from 'zod';
import type { Call, Handlers, Operations, RequestContext, Stream } from '../contract/define';
import { AppError, serializeError } from '../contract/errors';
import { isDeclared, undeclaredText } from '../contract/operation-errors';
import { changeBetween } from './change';
import { type Credit, createCredit } from './credit';
import { withoutBadEntries } from './entries';
import { ClientFrame, type ServerFrame } from './frames';
import { watchStandstill } from './stood-still';
import { tableHash } from './table-hash';
import type { Wire } from './wire';

/** Frames. A page has a few under way; it comes again where it had more. */
const mostHeld = 10_000;

type AnyHandler = (input: unknown, context: RequestContext) => unknown;

interface Running {
  readonly stop: AbortController;
  readonly credit: Credit;
}

/** Answers one client until its wire closes; closing cancels whatever it had asked for. */
export function serveBridge<Ops extends Operations>(
  wire: Wire,
  operations: Ops,
  handlers: Handlers<Ops>,
  onUnexpected: (error: unknown, operation: string) => void,
): void {
  const running = new Map<number, Running>();
  const reported = new Set<string>();
  const watch = watchStandstill();
  /** What came while this process stood still; null: it did not. */
  let heldFrames: ClientFrame[] | null = null;
  /** How often it was asked whether that stands, without an answer so far. */
  let openQuestions = 0;
  let lost = false;
  const send = (frame: ServerFrame) => {
    if (!lost) wire.send(frame);
  };

  wire.onFrame((raw) => {
    const frame = ClientFrame.safeParse(raw);
    if (!frame.success || lost) return wire.close();
    if (frame.data.t === 'ping') return send({ t: 'pong' });
    if (watch.stoodStill()) hold();
    if (frame.data.t === 'stands') return stands();
    if (!heldFrames) return take(frame.data);
    if (heldFrames.length >= mostHeld) return wire.close();
    heldFrames.push(frame.data);
  });

  function hold(): void {
    heldFrames ??= [];
    openQuestions++;
    send({ t: 'held' });
  }

  /** One that was given before it stood still again says nothing of what came since. */
  function stands(): void {
    openQuestions = Math.max(0, openQuestions - 1);
    if (openQuestions === 0) takeHeld();
  }

  /** Whoever asked may have given it up long ago, and then it is not done now, behind their back. */
  function takeHeld(): void {
    const frames = heldFrames ?? [];
    heldFrames = null;
    const cancelled = new Set(frames.flatMap((frame) => (frame.t === 'cancel' ? [frame.id] : [])));
    for (const frame of frames) {
      const begins = frame.t === 'call' || frame.t === 'open';
      if (!begins || !cancelled.has(frame.id)) take(frame);
    }
  }

  function take(frame: ClientFrame): void {
    switch (frame.t) {
      case 'cancel':
        running.get(frame.id)?.stop.abort();
        break;
      case 'more':
        running.get(frame.id)?.credit.renew();
        break;
      case 'call':
      case 'open':
        void answer(frame);
        break;
    }
  }

  wire.onClose(() => {
    lost = true;
    watch.close();
    for (const request of running.values()) request.stop.abort();
  });
  send({ t: 'hello', table: tableHash(operations) });

  async function answer({ id, op, t, input }: ClientFrame & { t: 'call' | 'open' }): Promise<void> {
    if (running.has(id)) return wire.close();
    const operation = Object.hasOwn(operations, op) ? operations[op] : undefined;
    const request: Running = {
      stop: new AbortController(),
      credit: createCredit(operation?.kind === 'stream' && operation.isState ? 1 : 4096),
    };
    running.set(id, request);
    try {
      if (operation?.kind !== (t === 'call' ? 'call' : 'stream')) {
        throw new AppError('request.unknown', `There is no operation “${op}”.`, { operation: op });
      }
      const handler = handlers[op] as AnyHandler;
      const answered = handler(parseInput(operation, input), { signal: request.stop.signal });
      if (operation.kind === 'call') {
        send({
          t: 'result',
          id,
          output: operation.entries
            ? fitting(op, operation.output, await answered)
            : operation.output.parse(await answered),
        });
      } else {
        await sendItems(id, op, operation, answered as AsyncIterable<unknown>, request);
        send({ t: 'end', id });
      }
    } catch (error) {
      if (!(error instanceof AppError)) onUnexpected(error, op);
      else if (operation && !isDeclared(operation, error.code))
        onUnexpected(new Error(undeclaredText + error.code, { cause: error }), op);
      send({ t: 'error', id, error: serializeError(error) });
    } finally {
      running.delete(id);
    }
  }

  /** An entry that is left out of every state is told once. */
  function fitting(op: string, schema: z.ZodType, value: unknown): unknown {
    return withoutBadEntries(schema, value, ({ name, reason }) => {
      const words = `“${name}” was left out: ${reason}`;
      if (reported.has(op + words) || reported.size > 1_000) return;
      reported.add(op + words);
      onUnexpected(new Error(words), op);
    });
  }

  /** Waits for the reader before it asks for the next item, so a state's slow reader skips to the newest. */
  async function sendItems(
    id: number,
    op: string,
    operation: Stream,
    items: AsyncIterable<unknown>,
    { stop: { signal }, credit }: Running,
  ): Promise<void> {
    const source = items[Symbol.asyncIterator]();
    let sent: { readonly item: unknown } | null = null;
    try {
      while (!signal.aborted) {
        await credit.available(signal);
        if (signal.aborted) return;
        const next = await source.next();
        if (next.done || signal.aborted) return;
        const { item } = operation;
        const fit = operation.isState ? fitting(op, item, next.value) : item.parse(next.value);
        const change = sent && changeBetween(sent.item, fit);
        // Nothing that a reader could see.
        if (sent && change === null) continue;
        const ask = credit.spend();
        send({
          ...(change ? { t: 'change', id, change } : { t: 'item', id, item: fit }),
          ...(ask && { ask }),
        });
        if (operation.isState) sent = { item: fit };
      }
    } finally {
      await source.return?.();
    }
  }
}

function parseInput(operation: Call | Stream, raw: unknown): unknown {
  const parsed = operation.input.safeParse(raw);
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
  throw new AppError('request.invalid', 'The request was not understood.', { issues });
}
