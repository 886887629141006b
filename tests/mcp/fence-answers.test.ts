import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { isAppError } from '../../src/contract/errors';
import { extent } from '../support/extent';
import { createDamage, type Damage } from './damage';
import { fenced } from './fenced';
import { goodScript, hostileScript, unaskedLines } from './hostile-script';
import { hostileWeb } from './hostile-web';
import { call, folder, idOf, ours, type World, world } from './setup';

/** The law of the fence for all that is no call: handshakes, lists, prompts, resources, tasks, questions, HTTP itself. */

const good = ours('vault');
const runs = Number(process.env.FUZZ_RUNS ?? 0);
const seed = Number(process.env.FUZZ_SEED ?? 1);
/** `share` of the suite; of `npm run fuzz` a tenth, for each of these takes as long as ten calls. */
const casesOf = (share: number) => (runs > 0 ? Math.ceil(runs / 10) : extent(share, share * 4));
const timeout = 60_000 + casesOf(200) * 300;
const together = 16;
/** Longer than any question of ours waits (30 s): lists have no other end where a stream ends without an answer. */
const mostMs = 45_000;

/** An error of ours, or an answer; neither late. */
async function settles(what: string, work: Promise<unknown>): Promise<void> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error(`waited: ${what}`)), mostMs);
  try {
    await Promise.race([work, late.promise]);
  } catch (error) {
    if (!isAppError(error)) throw error;
  } finally {
    clearTimeout(timer);
    work.catch(() => undefined);
  }
}

/** A person who answers everything, somehow. */
function answering({ mcp }: World, { oneOf }: Damage): void {
  const life = new AbortController();
  onTestFinished(() => life.abort());
  void (async () => {
    const known = new Set<string>();
    for await (const asks of mcp.asks.follow(life.signal))
      for (const { id } of asks.filter((one) => !known.has(one.id))) {
        known.add(id);
        const content = { name: oneOf(['Ada', '', '\u202e']) };
        const said = oneOf([
          { action: 'accept' as const, content },
          { action: 'decline' as const },
          { action: 'cancel' as const },
        ]);
        await mcp.asks
          .answer(id, said)
          .catch(() => mcp.asks.answer(id, { action: 'cancel' }).catch(() => undefined));
      }
  })();
}

const selectModel = async () => ({
  name: 'm',
  answer: async () => ({ model: 'm', text: 'hi', toolCalls: [], cut: false }),
});

/** A program that says a script; `isGood`: shakes hands as it should. */
function program(at: number, length: number, modern: boolean, isGood: boolean) {
  const place = folder();
  const first = isGood ? [''] : ['', ...unaskedLines(createDamage(at), 8), 'Server is ready!'];
  const facts = { script: hostileScript(at, length, modern), whole: goodScript(modern), first };
  writeFileSync(join(place, 'script'), JSON.stringify(facts));
  const { command, args } = ours('says-script');
  return {
    command,
    args: [...args, join(place, 'script'), join(place, 'starts'), ...(isGood ? ['good'] : [])],
  };
}

const shaking: Record<string, (at: number, length: number) => Promise<Record<string, unknown>>> = {
  'standard output': async (at, length) => program(at, length, at % 2 === 0, false),
  HTTP: async (at, length) => {
    const modern = at % 2 === 0;
    const web = { script: hostileScript(at, length, modern), whole: {}, damage: createDamage(at) };
    return { url: (await hostileWeb({ ...web, good: false, rawly: at % 4 > 1 })).url, transport: 'http' };
  },
};
for (const [over, serving] of Object.entries(shaking))
  test(`however hands are shaken over ${over}, the core lives and the others answer`, {
    timeout,
  }, async () => {
    const cases = casesOf(over === 'HTTP' ? 64 : 32);
    const names = Array.from({ length: together }, (_, n) => `bad-${n}`);
    const rounds = Math.ceil(cases / together);
    const entries = await Promise.all(
      names.map(async (name, n) => [
        name,
        { ...(await serving(seed * 100 + n, rounds * 4)), initTimeout: 500, autostart: false },
      ]),
    );
    const all = await world({ ...Object.fromEntries(entries), good }, { selectModel });
    answering(all, createDamage(seed));
    const { mcp } = all;
    const isOver = await fenced(all, names);
    for (let round = 0; round < rounds; round++) {
      await Promise.all(
        names.map(async (name) => {
          const id = idOf(mcp, name);
          await settles(`restart ${name} ${round}`, mcp.restart(id));
          await settles(`ready ${name} ${round}`, mcp.ready(id, AbortSignal.timeout(1_500)));
          const signal = AbortSignal.timeout(300);
          await settles(`call ${name} ${round}`, call(mcp, name, 'say', {}, { timeoutMs: 300, signal }));
        }),
      );
      expect((await call(mcp, 'good', 'where')).isError).toBe(false);
    }
    await isOver();
  });

type Ask = (mcp: World['mcp'], id: string, signal: AbortSignal) => Promise<unknown>;
const asks: Ask[] = [
  (mcp, id) => mcp.resources(id),
  (mcp, id) => mcp.prompts(id),
  (mcp, id, signal) => mcp.readResource(id, `memo://${Math.random()}`, signal),
  (mcp, id, signal) => mcp.readView(id, 'ui://v', signal),
  (mcp, id, signal) => mcp.getPrompt(id, 'p', { a: 'x' }, signal),
  (mcp, id, signal) =>
    mcp.complete(id, { of: { kind: 'prompt', name: 'p' }, argument: 'a', value: 'x', others: {} }, signal),
  (mcp, _id, signal) => call(mcp, 'bad', 'say', {}, { timeoutMs: 2_000, signal }),
  async (mcp, id, signal) => {
    for await (const _ of mcp.followResource(
      id,
      'memo://a',
      AbortSignal.any([signal, AbortSignal.timeout(100)]),
    ))
      break;
  },
  (mcp, _id, signal) => {
    const stop = new AbortController();
    // Some never end by themselves.
    const onTask = () => void setTimeout(() => stop.abort(), 250);
    return call(
      mcp,
      'bad',
      'dig',
      {},
      { timeoutMs: 2_000, signal: AbortSignal.any([signal, stop.signal]), onTask },
    );
  },
];

/** Asks for everything that a server may have, `cases` times. */
async function askAll(all: World, cases: number, patienceMs: number): Promise<void> {
  const { mcp } = all;
  const bad = idOf(mcp, 'bad');
  const over = await fenced(all, ['bad']);
  for (let from = 0; from < cases; from += together) {
    await settles('restart', mcp.restart(bad));
    await settles('ready', mcp.ready(bad, AbortSignal.timeout(1_000)));
    await Promise.all(
      Array.from({ length: Math.min(together, cases - from) }, (_, n) => {
        const ask = asks[(from + n) % asks.length] as Ask;
        return settles(`${from + n} ${ask}`, ask(mcp, bad, AbortSignal.timeout(patienceMs)));
      }),
    );
    expect((await call(mcp, 'good', 'where')).isError).toBe(false);
  }
  await over();
}

for (const modern of [false, true]) {
  const era = modern ? 'modern' : 'legacy';
  test(`whatever a program lists, lends and asks, the core lives and the others answer: ${era}`, {
    timeout,
  }, async () => {
    const cases = casesOf(112);
    const bad = program(seed + 20 + Number(modern), cases, modern, true);
    const all = await world({ bad, good }, { selectModel });
    answering(all, createDamage(seed));
    await askAll(all, cases, 5_000);
  });

  test(`whatever is listed, lent and asked over HTTP, the core lives and the others answer: ${era}`, {
    timeout,
  }, async () => {
    const cases = casesOf(400);
    const at = seed + 30 + Number(modern);
    const web = {
      script: hostileScript(at, cases, modern),
      whole: goodScript(modern),
      damage: createDamage(at),
    };
    const { url, gets } = await hostileWeb({ ...web, good: true, rawly: false });
    const all = await world({ bad: { url, transport: 'http' }, good }, { selectModel });
    answering(all, createDamage(seed));
    await askAll(all, cases, 5_000);
    // A stream of news that ends is asked for again, but no server sets the pace.
    expect(gets()).toBeLessThan(10 * Math.ceil(cases / together));
  });

  test(`whatever HTTP itself is, the core lives and the others answer: ${era}`, { timeout }, async () => {
    const cases = casesOf(96);
    const at = seed + 40 + Number(modern);
    const web = {
      script: hostileScript(at, cases, modern),
      whole: goodScript(modern),
      damage: createDamage(at),
    };
    const { url } = await hostileWeb({ ...web, good: true, rawly: true });
    const all = await world({ bad: { url, transport: 'http', initTimeout: 1_000 }, good }, { selectModel });
    answering(all, createDamage(seed));
    await askAll(all, cases, 500);
  });
}
