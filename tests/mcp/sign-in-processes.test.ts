import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type Built, built } from '../support/built';
import { folder } from './setup';
import { signInService } from './sign-in-service';

interface Shown {
  readonly state?: string | null;
  readonly signedIn?: boolean | null;
}
interface Answer {
  readonly order?: string;
  readonly answer?: unknown;
  readonly error?: string;
}

/** One of several apps with the same data folder. */
interface AppProcess {
  order(what: 'signIn' | 'signOut' | 'call'): Promise<unknown>;
  /** As soon as it shows this of the server. */
  shows(wanted: Shown): Promise<void>;
}

let program: Built;
beforeAll(async () => {
  program = await built('tests/mcp/sign-in-process.ts');
});
afterAll(() => program.remove());

function startApp(data: string): AppProcess {
  const child: ChildProcess = fork(program.file, [data, folder()]);
  let shown: Shown = {};
  child.on('message', (message: Shown & Answer) => {
    if (message.order === undefined) shown = message;
  });
  onTestFinished(async () => {
    const exited = once(child, 'exit');
    child.send('close');
    await answerTo(child, 'close');
    child.disconnect();
    child.kill();
    await exited;
  });
  return {
    async order(what) {
      child.send(what);
      const { answer, error } = await answerTo(child, what);
      if (error !== undefined) throw new Error(error);
      return answer;
    },
    shows: (wanted) => expect.poll(() => shown).toMatchObject(wanted),
  };
}

function answerTo(child: ChildProcess, order: string): Promise<Answer> {
  return new Promise((resolve) => {
    child.on('message', function take(message: Answer) {
      if (message.order !== order) return;
      child.off('message', take);
      resolve(message);
    });
  });
}

async function two() {
  const service = await signInService({ rotates: true });
  const data = folder();
  writeFileSync(join(data, 'mcp.json'), JSON.stringify({ mcpServers: { guarded: { url: service.url } } }));
  const [one, other] = [startApp(data), startApp(data)];
  for (const app of [one, other]) await app.shows({ state: 'needs-sign-in' });
  return { service, one, other };
}

test('a process that waits for a sign-in goes on when another process has signed in, and hears of a sign-out', async () => {
  const { one, other, service } = await two();
  await one.order('signIn');
  await other.shows({ state: 'ready', signedIn: true });
  expect(await other.order('call')).toBe(false);
  expect(service.authorizations).toHaveLength(1);
  await one.order('signOut');
  await other.shows({ signedIn: false });
});

test('two processes that renew the same sign-in at once both stay signed in, by one renewal', async () => {
  const { one, other, service } = await two();
  await one.order('signIn');
  await other.shows({ state: 'ready' });
  for (let round = 1; round <= 3; round++) {
    service.expire();
    expect(await Promise.all([one.order('call'), other.order('call')])).toEqual([false, false]);
    const renewals = service.tokenRequests.filter((form) => form.get('grant_type') === 'refresh_token');
    expect(renewals).toHaveLength(round);
  }
});
