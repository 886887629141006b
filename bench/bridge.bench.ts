import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { WebSocket, WebSocketServer } from 'ws';
import { z } from 'zod';
import { createBridgeClient, openWebSocket, serveBridge, webSocketWire } from '../src/bridge';
import { stream } from '../src/contract/define';
import { median, percentile, report } from './measure';

const rate = 50_000;
const seconds = 4;
const rounds = 5;
const item = z.object({ at: z.number(), text: z.string() });
const table = { 'bench.events': stream(z.object({}), item) } as const;
type Item = z.infer<typeof item>;

/** The same clock in every process of the machine, in milliseconds. */
const now = () => Number(process.hrtime.bigint()) / 1e6;

/** Items at the wanted rate: as many as are due, each time the event loop comes round. */
async function* due(): AsyncGenerator<Item> {
  const from = now();
  for (let sent = 0; sent < rate * seconds; ) {
    const wanted = Math.min(rate * seconds, Math.floor(((now() - from) / 1000) * rate));
    for (; sent < wanted; sent++) yield { at: now(), text: 'a few words ' };
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

if (process.argv[2] === 'core') await core();
else await screen();

/** The sending side: our bridge, and a socket that sends each event as a message of its own. */
async function core(): Promise<void> {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  server.on('connection', (socket, { url }) => {
    const from = process.cpuUsage();
    const begun = now();
    socket.on('close', () => {
      const { user, system } = process.cpuUsage(from);
      process.send?.({ busy: (user + system) / 1000 / (now() - begun) });
    });
    if (url === '/plain') {
      void (async () => {
        for await (const event of due()) socket.send(JSON.stringify({ t: 'item', id: 1, item: event }));
        socket.send('end');
      })();
      return;
    }
    serveBridge(webSocketWire(socket as never), table, { 'bench.events': () => due() }, (error) => {
      throw error;
    });
  });
  await once(server, 'listening');
  process.send?.({ port: (server.address() as { port: number }).port });
}

interface Measured {
  readonly p95: number;
  readonly p50: number;
  readonly coreBusy: number;
  readonly screenBusy: number;
}

async function screen(): Promise<void> {
  const child = fork(process.argv[1] ?? '', ['core']);
  const [{ port }] = (await once(child, 'message')) as [{ port: number }];
  const ours: Measured[] = [];
  const plain: Measured[] = [];
  for (let round = 0; round < rounds; round++) {
    ours.push(await measured(child, () => overBridge(`ws://127.0.0.1:${port}/bridge`)));
    plain.push(await measured(child, () => oneEach(`ws://127.0.0.1:${port}/plain`)));
  }
  child.kill();

  const of = (runs: Measured[], key: keyof Measured) => median(runs.map((run) => run[key]));
  const ms = (value: number) => `${value.toFixed(1)} ms`;
  const percent = (value: number) => `${Math.round(value * 100)} %`;
  const busy = Math.max(of(ours, 'coreBusy'), of(ours, 'screenBusy'));
  report({
    title: 'The bridge over a socket',
    figures: [
      {
        what: `${rate.toLocaleString('en')} events/s, from sending to reading, p95`,
        ours: ms(of(ours, 'p95')),
        peer: ms(of(plain, 'p95')),
        ratio: `${(of(ours, 'p95') / of(plain, 'p95')).toFixed(3)}×`,
        goal: '≤ 5 ms',
        met: of(ours, 'p95') <= 5,
      },
      {
        what: 'the same, p50',
        ours: ms(of(ours, 'p50')),
        peer: ms(of(plain, 'p50')),
        ratio: `${(of(ours, 'p50') / of(plain, 'p50')).toFixed(3)}×`,
        goal: '–',
      },
      {
        what: 'share of a core, sending / reading side',
        ours: `${percent(of(ours, 'coreBusy'))} / ${percent(of(ours, 'screenBusy'))}`,
        peer: `${percent(of(plain, 'coreBusy'))} / ${percent(of(plain, 'screenBusy'))}`,
        ratio: `${(of(ours, 'coreBusy') / of(plain, 'coreBusy')).toFixed(2)}×`,
        goal: '≤ 10 % a side',
        met: busy <= 0.1,
      },
    ],
    notes: [
      `Two processes, ${seconds} s a round, median of ${rounds} rounds in turns with a socket that sends each event as one message. Ours also checks each item with zod and asks for more in time (credit).`,
      'The share of a core includes making the events and taking their time, which both sides do alike.',
    ],
  });
}

async function measured(child: ChildProcess, read: () => Promise<number[]>): Promise<Measured> {
  const busy = new Promise<number>((resolve) => {
    const listener = (message: unknown) => {
      child.off('message', listener);
      resolve((message as { busy: number }).busy);
    };
    child.on('message', listener);
  });
  const from = process.cpuUsage();
  const begun = now();
  const delays = await read();
  const { user, system } = process.cpuUsage(from);
  const screenBusy = (user + system) / 1000 / (now() - begun);
  if (delays.length !== rate * seconds) throw new Error(`${delays.length} events came.`);
  return { p50: median(delays), p95: percentile(delays, 0.95), screenBusy, coreBusy: await busy };
}

async function overBridge(url: string): Promise<number[]> {
  const wire = await openWebSocket(new WebSocket(url) as never);
  const client = createBridgeClient(wire, table);
  const delays: number[] = [];
  for await (const { at } of client.stream('bench.events', {})) delays.push(now() - at);
  wire.close();
  return delays;
}

function oneEach(url: string): Promise<number[]> {
  return new Promise((resolve) => {
    const socket = new WebSocket(url);
    const delays: number[] = [];
    socket.on('message', (data) => {
      const text = String(data);
      if (text === 'end') {
        socket.close();
        resolve(delays);
      } else delays.push(now() - (JSON.parse(text) as { item: Item }).item.at);
    });
  });
}
