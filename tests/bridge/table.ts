import { z } from 'zod';
import { call, type Handlers, list, state, stream } from '../../src/contract/define';
import { AppError } from '../../src/contract/errors';
import { createObservable } from '../../src/core/foundation';

export const operations = {
  'math.double': call(z.object({ n: z.number(), times: z.number().default(2) }), z.number()),
  'math.fail': call(z.object({ how: z.enum(['known', 'undeclared', 'bug']) }), z.void(), ['mcp.unreachable']),
  'secret.leak': call(z.object({}), z.object({ shown: z.string() })),
  'secret.list': list(z.object({}), z.array(z.object({ shown: z.string() }))),
  'secret.stream': stream(z.object({}), z.object({ shown: z.string() })),
  'secret.picture': state(z.object({}), z.array(z.object({ shown: z.string() }))),
  'wait.forever': call(z.object({}), z.void()),
  'count.up': stream(z.object({ to: z.number() }), z.number()),
  'count.forever': stream(z.object({}), z.number()),
  'count.broken': stream(z.object({}), z.number()),
  'state.value': state(z.object({}), z.number()),
  'state.list': state(z.object({}), z.array(z.object({ id: z.number(), words: z.string() }))),
} as const;

/** With a field that the contract does not name. */
const leaking = (shown: string) => ({ shown, apiKey: 'sk-123' }) as { shown: string };

/** Handlers that tell what became of them. */
export function createTable() {
  const told: string[] = [];
  const value = createObservable(0);
  const all = createObservable(Array.from({ length: 200 }, (_, id) => ({ id, words: 'words '.repeat(20) })));
  let produced = 0;
  const handlers: Handlers<typeof operations> = {
    'math.double': ({ n, times }) => n * times,
    'math.fail': ({ how }) => {
      if (how === 'known')
        throw new AppError('mcp.unreachable', 'No answer.', { serverId: 'fs', reason: 'exit 1' });
      if (how === 'undeclared') throw new AppError('view.gone', 'It was closed.', {});
      throw new Error('password=hunter2');
    },
    'secret.leak': () => leaking('yes'),
    'secret.list': () => [leaking('yes')],
    async *'secret.stream'() {
      yield leaking('first');
      yield leaking('second');
    },
    async *'secret.picture'() {
      yield [leaking('first')];
      yield [leaking('first'), leaking('second')];
    },
    'wait.forever': (_input, { signal }) =>
      new Promise((_resolve, reject) =>
        signal.addEventListener('abort', () => {
          told.push('call stopped');
          reject(new AppError('request.cancelled', 'Cancelled.', {}));
        }),
      ),
    async *'count.up'({ to }) {
      for (let n = 1; n <= to; n++) {
        produced = n;
        yield n;
      }
    },
    async *'count.forever'(_input, { signal }) {
      try {
        for (let n = 1; !signal.aborted; n++) {
          yield n;
          await new Promise((resolve) => setImmediate(resolve));
        }
      } finally {
        told.push('stopped');
      }
    },
    async *'count.broken'() {
      yield 1;
      throw new Error('secret insides');
    },
    'state.value': (_input, { signal }) => value.follow(signal),
    'state.list': (_input, { signal }) => all.follow(signal),
  };
  return { handlers, told, value, list: all, produced: () => produced };
}
