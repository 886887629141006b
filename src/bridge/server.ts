import type { Call, Handlers, Operations, RequestContext, Stream } from '../contract/define';
import { AppError, serializeError } from '../contract/errors';
import { ClientFrame, type ServerFrame } from './frames';
import type { Wire } from './wire';

type AnyHandler = (input: unknown, context: RequestContext) => unknown;

/** Answers one client until its wire closes; closing cancels whatever it had asked for. */
export function serveBridge<Ops extends Operations>(
  wire: Wire,
  operations: Ops,
  handlers: Handlers<Ops>,
  onUnexpected: (error: unknown, operation: string) => void,
): void {
  const running = new Map<number, AbortController>();
  const send = (frame: ServerFrame) => wire.send(frame);

  wire.onFrame((raw) => {
    const frame = ClientFrame.safeParse(raw);
    if (!frame.success) return wire.close();
    if (frame.data.t === 'cancel') return running.get(frame.data.id)?.abort();
    void answer(frame.data.id, frame.data.op, frame.data.t, frame.data.input);
  });
  wire.onClose(() => running.forEach((request) => request.abort()));

  async function answer(id: number, name: string, t: 'call' | 'open', rawInput: unknown): Promise<void> {
    if (running.has(id)) return wire.close();
    const request = new AbortController();
    running.set(id, request);
    try {
      const operation = Object.hasOwn(operations, name) ? operations[name] : undefined;
      if (operation?.kind !== (t === 'call' ? 'call' : 'stream')) {
        throw new AppError('request.unknown', `There is no operation "${name}".`, { operation: name });
      }
      const input = parseInput(operation, rawInput);
      const handler = handlers[name] as AnyHandler;
      const context = { signal: request.signal };
      if (operation.kind === 'call') {
        send({ t: 'result', id, output: operation.output.parse(await handler(input, context)) });
      } else {
        for await (const item of handler(input, context) as AsyncIterable<unknown>) {
          if (request.signal.aborted) break;
          send({ t: 'item', id, item: operation.item.parse(item) });
        }
        send({ t: 'end', id });
      }
    } catch (error) {
      if (!(error instanceof AppError)) onUnexpected(error, name);
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
