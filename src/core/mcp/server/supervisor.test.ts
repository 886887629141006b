import { expect, test } from 'vitest';
import { reasonWords } from '../../../contract/server-reasons';
import type { Clock } from '../../foundation';
import type { Connection } from '../client/connection';
import { createSupervisor, type Monitoring, type SupervisorParts } from './supervisor';

/** Time that passes only when told to; what is due runs in order, with promises settled in between. */
function fakeClock(): Clock & { pass(ms: number): Promise<void> } {
  let now = 0;
  let due: { at: number; work: () => void }[] = [];
  const settle = async () => {
    for (let turn = 0; turn < 50; turn++) await Promise.resolve();
  };
  return {
    now: () => now,
    after(ms, work) {
      const entry = { at: now + ms, work };
      due.push(entry);
      return () => {
        due = due.filter((other) => other !== entry);
      };
    },
    async pass(ms) {
      const end = now + ms;
      await settle();
      for (;;) {
        const [first] = due.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at);
        if (!first) break;
        due = due.filter((other) => other !== first);
        now = first.at;
        first.work();
        await settle();
      }
      now = end;
    },
  };
}

interface Stage {
  opened: number;
  closed: number;
  pings: number[];
  troubles: string[];
  busy: boolean;
  monitoring: Monitoring;
  open: () => Promise<void>;
  ping: () => Promise<void>;
  die: (words: string) => void;
}

function stage() {
  const clock = fakeClock();
  const scene: Stage = {
    opened: 0,
    closed: 0,
    pings: [],
    troubles: [],
    busy: false,
    monitoring: { everyMs: 30_000, restarts: 5 },
    open: async () => undefined,
    ping: async () => undefined,
    die: () => undefined,
  };
  const parts: SupervisorParts = {
    serverId: 's',
    clock,
    random: () => 0.5,
    async open(_signal, onClosed) {
      scene.opened++;
      scene.die = (text) => onClosed({ code: 'said', text });
      await scene.open();
      return {
        ping: () => {
          scene.pings.push(clock.now());
          return scene.ping();
        },
        close: async () => {
          scene.closed++;
        },
      } as unknown as Connection;
    },
    isBusy: () => scene.busy,
    lost: () => null,
    explain: (reason) => reason,
    onAnswer: () => undefined,
    monitoring: () => scene.monitoring,
    onTrouble: (reason) => scene.troubles.push(reasonWords(reason)),
  };
  const supervisor = createSupervisor(parts);
  return { clock, scene, supervisor, state: () => supervisor.life.get().state };
}

const refuse = async () => {
  throw new Error('no');
};

test('a server that cannot start is tried at 0, 0, 1, 3, 7 and 15 seconds, then left to a person', async () => {
  const { clock, scene, supervisor, state } = stage();
  scene.open = refuse;
  supervisor.start();
  const at: number[] = [];
  for (let second = 0; second <= 20; second++) {
    const before = scene.opened;
    await clock.pass(second === 0 ? 0 : 1_000);
    for (let n = before; n < scene.opened; n++) at.push(second);
  }
  expect(at).toEqual([0, 0, 1, 3, 7, 15]);
  expect(state()).toEqual({ kind: 'disabled', by: 'failures', reason: { code: 'said', text: 'no' } });
  await expect(supervisor.ready()).rejects.toMatchObject({ code: 'mcp.unreachable' });
  supervisor.enable();
  scene.open = async () => undefined;
  await supervisor.ready();
  expect(state()).toMatchObject({ kind: 'ready' });
});

test('a server is asked every 30 seconds; silence is said at once and ends in a restart', async () => {
  const { clock, scene, supervisor, state } = stage();
  await supervisor.ready();
  await clock.pass(90_000);
  expect(scene.pings).toEqual([30_000, 60_000, 90_000]);
  scene.ping = refuse;
  await clock.pass(30_000);
  expect(state()).toEqual({ kind: 'unhealthy', reason: { code: 'said', text: 'no' } });
  scene.ping = async () => undefined;
  await clock.pass(5_000);
  expect(state().kind).toBe('ready');
  scene.ping = refuse;
  await clock.pass(35_000);
  expect([scene.opened, scene.closed, state().kind]).toEqual([2, 1, 'ready']);
});

test('how often a server is asked can be changed while it runs, and it can be left alone', async () => {
  const { clock, scene, supervisor } = stage();
  await supervisor.ready();
  scene.monitoring = { everyMs: 10_000, restarts: 5 };
  supervisor.monitoringChanged();
  await clock.pass(20_000);
  expect(scene.pings).toEqual([10_000, 20_000]);
  scene.monitoring = { everyMs: null, restarts: 5 };
  supervisor.monitoringChanged();
  await clock.pass(300_000);
  expect(scene.pings).toHaveLength(2);
});

test('a server that is to be started again only once is given up at its second failure', async () => {
  const { clock, scene, supervisor, state } = stage();
  scene.monitoring = { everyMs: 30_000, restarts: 1 };
  scene.open = refuse;
  supervisor.start();
  await clock.pass(0);
  expect(scene.opened).toBe(2);
  expect(state()).toEqual({ kind: 'disabled', by: 'failures', reason: { code: 'said', text: 'no' } });
});

test('a server that a person has switched off is started by nothing but switching it on', async () => {
  const { scene, supervisor, state } = stage();
  await supervisor.disable();
  supervisor.start();
  await supervisor.restart();
  await expect(supervisor.ready()).rejects.toMatchObject({ code: 'mcp.unreachable' });
  expect([scene.opened, state().kind]).toEqual([0, 'disabled']);
});

test('a server that is busy with a call is not restarted for its silence', async () => {
  const { clock, scene, supervisor, state } = stage();
  await supervisor.ready();
  scene.ping = refuse;
  scene.busy = true;
  await clock.pass(120_000);
  expect([scene.opened, state().kind]).toEqual([1, 'unhealthy']);
});

test('a server that ends now and then is always back at once, one that ends at once is given up', async () => {
  const { clock, scene, supervisor, state } = stage();
  await supervisor.ready();
  for (let n = 0; n < 10; n++) {
    await clock.pass(61_000);
    scene.die('ended');
    await clock.pass(0);
    expect(state().kind).toBe('ready');
  }
  for (let n = 0; n < 6; n++) {
    scene.die('ended');
    await clock.pass(9_000);
  }
  expect(state()).toMatchObject({ kind: 'disabled', by: 'failures' });
});

test('a stop while starting wins, and what was opened too late is closed', async () => {
  const { scene, supervisor, state } = stage();
  let finish: () => void = () => undefined;
  scene.open = () =>
    new Promise((resolve) => {
      finish = resolve;
    });
  supervisor.start();
  await Promise.resolve();
  const stopped = supervisor.stop();
  finish();
  await stopped;
  expect([scene.opened, scene.closed, state().kind]).toEqual([1, 1, 'stopped']);
});

test('only one connection lives at a time, however often a restart is asked for', async () => {
  const { scene, supervisor } = stage();
  let open = 0;
  let most = 0;
  scene.open = async () => {
    open = scene.opened - scene.closed;
    most = Math.max(most, open);
  };
  await supervisor.ready();
  await Promise.all([supervisor.restart(), supervisor.restart(), supervisor.restart()]);
  await supervisor.ready();
  expect(most).toBe(1);
});

test.each(['stop', 'disable', 'end'] as const)(
  'a server that is told to %s while it is restarted does not start',
  async (kind) => {
    const { clock, scene, supervisor, state } = stage();
    supervisor.start();
    await clock.pass(0);
    const restarted = supervisor.restart();
    void supervisor[kind]();
    await clock.pass(60_000);
    await restarted;
    expect(scene).toMatchObject({ opened: 1, closed: 1 });
    expect(['stopped', 'disabled']).toContain(state().kind);
  },
);

test('a server that is restarted twice at once starts once; one that has ended is started by nothing', async () => {
  const { clock, scene, supervisor, state } = stage();
  supervisor.start();
  await clock.pass(0);
  await Promise.all([supervisor.restart(), supervisor.restart()]);
  await clock.pass(0);
  expect(scene).toMatchObject({ opened: 2, closed: 1 });
  expect(state().kind).toBe('ready');
  await supervisor.end();
  supervisor.start();
  await expect(supervisor.ready()).rejects.toMatchObject({ code: 'mcp.unreachable' });
  await supervisor.restart();
  await clock.pass(60_000);
  expect(scene).toMatchObject({ opened: 2, closed: 2 });
});

test('a server that is started while it starts is started once', async () => {
  const { clock, scene, supervisor, state } = stage();
  supervisor.start();
  supervisor.start();
  await clock.pass(0);
  supervisor.start();
  await clock.pass(0);
  expect(scene.opened).toBe(1);
  expect(state().kind).toBe('ready');
});

test('whoever wants a server that is tried again at once waits for it', async () => {
  const { clock, scene, supervisor } = stage();
  let refusals = 1;
  scene.open = async () => {
    await Promise.resolve();
    if (refusals-- > 0) throw new Error('no');
  };
  const ready = supervisor.ready();
  await clock.pass(0);
  expect(await ready).toBe(supervisor.connection());
  expect(scene.opened).toBe(2);
});

test('a minute after it came up a server’s failures are forgotten, and not before', async () => {
  const { clock, scene, supervisor } = stage();
  const failuresAfter = async (ms: number) => {
    await clock.pass(ms);
    return supervisor.life.get().failures;
  };
  supervisor.start();
  await clock.pass(0);
  scene.die('gone');
  expect(await failuresAfter(59_000)).toBe(1);
  expect(await failuresAfter(1_500)).toBe(0);
});

test('a server that ends before it is ready has failed; one that is gone already fails no other', async () => {
  const { clock, scene, supervisor, state } = stage();
  scene.open = async () => scene.die('ended at once');
  supervisor.start();
  await clock.pass(0);
  expect(state()).toMatchObject({
    kind: 'waiting',
    attempt: 2,
    reason: { code: 'said', text: 'ended at once' },
  });
  scene.open = async () => undefined;
  await clock.pass(1_000);
  const former = scene.die;
  await supervisor.restart();
  await clock.pass(0);
  expect(state().kind).toBe('ready');
  former('told late');
  expect(state().kind).toBe('ready');
  expect(scene.troubles).not.toContain('told late');
});

test('a start that was stopped is no trouble, whatever it says of it', async () => {
  const { clock, scene, supervisor, state } = stage();
  let refuseNow: () => void = () => undefined;
  scene.open = () => new Promise((_resolve, reject) => (refuseNow = () => reject(new Error('aborted'))));
  supervisor.start();
  await clock.pass(0);
  const stopped = supervisor.stop();
  refuseNow();
  await stopped;
  expect(state().kind).toBe('stopped');
  expect(scene.troubles).toEqual([]);
});

test('a server that does not answer is not well again for being looked at', async () => {
  const { clock, scene, supervisor, state } = stage();
  scene.busy = true;
  supervisor.start();
  await clock.pass(0);
  scene.ping = refuse;
  await clock.pass(30_000);
  expect(state().kind).toBe('unhealthy');
  supervisor.review();
  expect(state().kind).toBe('unhealthy');
});

test('whoever wants a server that fails again and again is told so at once, not after the long waits', async () => {
  const { clock, scene, supervisor, state } = stage();
  scene.open = async () => {
    await Promise.resolve();
    throw new Error('no');
  };
  const ready = expect(supervisor.ready()).rejects.toMatchObject({ code: 'mcp.unreachable' });
  await clock.pass(0);
  await ready;
  expect(state()).toMatchObject({ kind: 'waiting', attempt: 2 });
  await expect(supervisor.ready()).rejects.toMatchObject({ code: 'mcp.unreachable' });
});

test('a retry that was waited for is forgotten with a stop: a new start waits its own time', async () => {
  const { clock, scene, supervisor } = stage();
  scene.open = refuse;
  supervisor.start();
  await clock.pass(500);
  await supervisor.stop();
  supervisor.start();
  await clock.pass(0);
  expect(scene.opened).toBe(4);
  await clock.pass(900);
  expect(scene.opened).toBe(4);
  await clock.pass(100);
  expect(scene.opened).toBe(5);
});

test('a server that asks for a sign-in while it starts is closed, and whoever wants it is told', async () => {
  const { clock, scene, supervisor, state } = stage();
  let opens: () => void = () => undefined;
  scene.open = () => new Promise((resolve) => (opens = resolve));
  const ready = expect(supervisor.ready()).rejects.toMatchObject({ code: 'mcp.sign-in-needed' });
  await clock.pass(0);
  supervisor.needsSignIn();
  opens();
  await clock.pass(0);
  await ready;
  expect(state().kind).toBe('needs-sign-in');
  expect([scene.opened, scene.closed]).toEqual([1, 1]);
  expect(supervisor.connection()).toBeNull();
});

test('a start that is taken back before it was its turn opens nothing', async () => {
  const { clock, scene, supervisor } = stage();
  supervisor.start();
  await clock.pass(0);
  const stopped = supervisor.stop();
  supervisor.start();
  void supervisor.stop();
  await stopped;
  await clock.pass(0);
  expect([scene.opened, scene.closed]).toEqual([1, 1]);
});
