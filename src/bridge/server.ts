import type { Call, Handlers, Operations, RequestContext, Stream } from '../contract/define';
import { AppError, serializeError } from '../contract/errors';
import { isDeclared, undeclaredText } from '../contract/operation-errors';
import { type Credit, createCredit } from './credit';
import { createCrossing } from './crossing';
import { ClientFrame, type ServerFrame } from './frames';
import { createHeldFrames } from './held-frames';
import { sendItems } from './send-items';
import { tableHash } from './table-hash';
import type { Wire } from './wire';

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
  const crossing = createCrossing(onUnexpected);
  let lost = false;
  const send = (frame: ServerFrame) => {
    if (!lost) wire.send(frame);
  };
  const held = createHeldFrames({ ask: () => send({ t: 'held' }), take });

  wire.onFrame((raw) => {
    const frame = ClientFrame.safeParse(raw);
    if (!frame.success || lost) return wire.close();
    if (frame.data.t === 'ping') send({ t: 'pong' });
    else if (!held.received(frame.data)) wire.close();
  });

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
    held.close();
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
        send({ t: 'result', id, output: crossing.output(op, operation, await answered) });
      } else {
        await sendItems(answered as AsyncIterable<unknown>, {
          signal: request.stop.signal,
          credit: request.credit,
          isState: operation.isState,
          crossing: (item) => crossing.item(op, operation, item),
          send: (frame) => send({ ...frame, id }),
        });
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
}

function parseInput(operation: Call | Stream, raw: unknown): unknown {
  const parsed = operation.input.safeParse(raw);
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
  throw new AppError('request.invalid', 'The request was not understood.', { issues });
}
