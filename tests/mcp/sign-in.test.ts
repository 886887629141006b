import { expect, onTestFinished, test, vi } from 'vitest';
import { createServerSignIn } from '../../src/core/mcp/oauth/sign-in';
import { call, idOf, type World, world } from './setup';
import { type Behaviour, type SignInService, signInService } from './sign-in-service';

const signal = new AbortController().signal;

/** A browser without a face: goes where it is sent and reads the page it ends on. */
function browser() {
  const opened: string[] = [];
  const pages: { status: number; text: string }[] = [];
  return {
    opened,
    pages,
    open: async (url: string) => {
      opened.push(url);
      void fetch(url).then(
        async (page) => pages.push({ status: page.status, text: await page.text() }),
        () => undefined,
      );
    },
  };
}

interface Scene extends World {
  readonly service: SignInService;
  readonly browser: ReturnType<typeof browser>;
  signIn(way?: 'browser' | 'device'): Promise<void>;
}

async function scene(behave: Behaviour = {}, config: Record<string, unknown> = {}): Promise<Scene> {
  const service = await signInService(behave);
  const seen = browser();
  const made = await world({ guarded: { url: service.url, ...config } }, { openExternal: seen.open });
  return {
    ...made,
    service,
    browser: seen,
    signIn: (way = 'browser') => made.mcp.signIn(idOf(made.mcp, 'guarded'), way, signal),
  };
}

test('a person signs in through the browser: PKCE, resource, state; tokens go to the key store only', async () => {
  const { mcp, host, until, server, service, browser, signIn } = await scene();
  await until('guarded', ({ state }) => state.kind === 'needs-sign-in');
  expect(service.seen).not.toContain('POST /register');
  expect(browser.opened).toEqual([]);

  await signIn();
  expect(server('guarded')).toMatchObject({ state: { kind: 'ready' }, tools: 1, signIn: { signedIn: true } });
  expect((await call(mcp, 'guarded', 'x')).parts).toEqual([{ kind: 'text', text: 'read' }]);
  const [asked] = service.authorizations;
  expect(asked?.get('code_challenge_method')).toBe('S256');
  expect(asked?.get('resource')).toBe(service.url);
  expect(asked?.get('redirect_uri')).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/callback$/);
  expect(service.tokenRequests[0]?.get('resource')).toBe(service.url);
  expect(service.registered).toMatchObject([{ client_name: 'Interlinear', application_type: 'native' }]);
  await expect.poll(() => browser.pages).toMatchObject([{ status: 200 }]);
  expect(browser.pages[0]?.text).toContain('Signed in');
  // The door is shut behind the one answer.
  await expect(fetch(asked?.get('redirect_uri') ?? '')).rejects.toThrow();
  const [bearer = ''] = service.presented;
  expect(JSON.stringify(mcp.servers.get())).not.toContain(bearer.replace('Bearer ', ''));
  expect(await host.secrets.get(`mcp-sign-in:${idOf(mcp, 'guarded')}`)).toContain(
    bearer.replace('Bearer ', ''),
  );
});

test('a token that was refused is renewed without a person, and the call goes through', async () => {
  const { mcp, service, browser, signIn } = await scene();
  await signIn();
  service.expire();
  expect((await call(mcp, 'guarded', 'x')).parts).toEqual([{ kind: 'text', text: 'read' }]);
  expect(service.tokenRequests.map((form) => form.get('grant_type'))).toEqual([
    'authorization_code',
    'refresh_token',
  ]);
  expect(browser.opened).toHaveLength(1);
});

test('a token is renewed ahead of its end', async () => {
  const { mcp, service, signIn } = await scene({ expiresIn: 30 });
  await signIn();
  await call(mcp, 'guarded', 'x');
  expect(service.tokenRequests.some((form) => form.get('grant_type') === 'refresh_token')).toBe(true);
  // No request was refused first.
  expect(service.presented.size).toBeGreaterThan(1);
});

test('where renewing is refused the server says that it needs a sign-in; no browser opens by itself', async () => {
  const { mcp, service, browser, signIn, until } = await scene({ refuseRefresh: true });
  await signIn();
  service.expire();
  await expect(call(mcp, 'guarded', 'x')).rejects.toMatchObject({ code: 'mcp.sign-in-needed' });
  await until('guarded', ({ state, signIn }) => state.kind === 'needs-sign-in' && signIn?.signedIn === false);
  expect(browser.opened).toHaveLength(1);
});

test('a call that needs more rights asks for them together with those granted before', async () => {
  const { mcp, service, signIn } = await scene({ callScope: 'write' });
  await signIn();
  await expect(call(mcp, 'guarded', 'x')).rejects.toMatchObject({ code: 'mcp.sign-in-needed' });
  await signIn();
  expect(service.authorizations.at(-1)?.get('scope')?.split(' ').sort()).toEqual(['read', 'write']);
  expect((await call(mcp, 'guarded', 'x')).isError).toBe(false);
});

test('what was granted is asked for again by the next start of the app, too, where the service does not say it', async () => {
  const before = await scene({ omitsScope: true }, { oauth: { scope: 'read extra' } });
  await before.signIn();
  const stored = (await before.host.secrets.get(`mcp-sign-in:${idOf(before.mcp, 'guarded')}`)) ?? '';
  expect(JSON.parse(stored).issuers[before.service.origin].tokens.scope.split(' ').sort()).toEqual([
    'extra',
    'read',
  ]);
  before.service.expire();
  await call(before.mcp, 'guarded', 'x');
  const renewed = (await before.host.secrets.get(`mcp-sign-in:${idOf(before.mcp, 'guarded')}`)) ?? '';
  expect(JSON.parse(renewed).issuers[before.service.origin].tokens.scope.split(' ').sort()).toEqual([
    'extra',
    'read',
  ]);
});

test('a service that is away for a moment is asked again, and longer outages are no sign-out', async () => {
  const behave: Behaviour = { outages: 0 };
  const { mcp, service, server, signIn } = await scene(behave);
  await signIn();
  behave.outages = 1;
  service.expire();
  expect((await call(mcp, 'guarded', 'x')).isError).toBe(false);
  behave.outages = 1_000;
  service.expire();
  await expect(call(mcp, 'guarded', 'x')).rejects.toMatchObject({ code: 'mcp.unreachable' });
  expect(server('guarded').signIn).toMatchObject({ signedIn: true });
  behave.outages = 0;
  expect((await call(mcp, 'guarded', 'x')).isError).toBe(false);
});

test('a server that refuses after every sign-in is not signed in to without end', async () => {
  const { mcp, service, signIn } = await scene({ callScope: 'never', callback: () => undefined });
  const refused = async () => {
    service.expire();
    await signIn();
  };
  for (let n = 0; n < 3; n++) await refused();
  await expect(refused()).rejects.toMatchObject({ code: 'mcp.sign-in-failed' });
  expect(service.authorizations).toHaveLength(3);
  await mcp.signOut(idOf(mcp, 'guarded'));
  await refused();
});

test('signing out takes the tokens back, forgets them, and the server asks again', async () => {
  const { mcp, host, service, signIn, until } = await scene();
  await signIn();
  await mcp.signOut(idOf(mcp, 'guarded'));
  expect(service.revoked.map((token) => token.split('-')[0]).sort()).toEqual(['access', 'refresh']);
  expect(await host.secrets.get(`mcp-sign-in:${idOf(mcp, 'guarded')}`)).toBeNull();
  service.expire();
  await mcp.restart(idOf(mcp, 'guarded'));
  await until('guarded', ({ state }) => state.kind === 'needs-sign-in');
});

test('what was answered to one account is not shown to the next', async () => {
  const { mcp, signIn } = await scene();
  const id = idOf(mcp, 'guarded');
  const read = async () => (await mcp.readResource(id, 'note://mine'))[0]?.text;
  const account = () => mcp.tools.get().find(({ serverId }) => serverId === id)?.account;
  await signIn();
  const [mine, first] = [await read(), account()];
  expect(await read()).toBe(mine);
  await mcp.restart(id);
  await mcp.ready(id);
  expect(account()).toBe(first);
  await mcp.signOut(id);
  await signIn();
  expect(await read()).toMatch(/^Bearer access-/);
  expect(await read()).not.toBe(mine);
  expect(account()).not.toBe(first);
});

test('a code for another device: it is shown, and the sign-in ends when it was typed in', async () => {
  const { mcp, service, browser, until } = await scene();
  const signedIn = mcp.signIn(idOf(mcp, 'guarded'), 'device', signal);
  const { signIn } = await until('guarded', (server) => server.signIn?.underWay != null);
  expect(signIn?.underWay).toEqual({ url: `${service.origin}/activate`, code: 'ABCD-EFGH' });
  service.approveDevice();
  await signedIn;
  expect((await call(mcp, 'guarded', 'x')).isError).toBe(false);
  expect(browser.opened).toEqual([]);
});

test('a client of its own right needs nobody: its secret comes from the key store', async () => {
  const service = await signInService();
  const oauth = { grant: 'client-credentials', clientId: 'robot', clientSecret: `\${secret:robot}` };
  const { mcp, until } = await world(
    { guarded: { url: service.url, oauth } },
    { secrets: { robot: 'secret-of-robot' } },
  );
  await until('guarded', ({ state }) => state.kind === 'ready');
  expect((await call(mcp, 'guarded', 'x')).isError).toBe(false);
  expect(JSON.stringify(mcp.servers.get())).not.toContain('secret-of-robot');
});

test('a client registered by hand is used as it is', async () => {
  const { service, signIn } = await scene({}, { oauth: { clientId: 'known', scope: 'read' } });
  await signIn();
  expect(service.authorizations[0]?.get('client_id')).toBe('known');
  expect(service.registered).toEqual([]);
});

test('the tokens of one address are not sent to another that takes its place', async () => {
  const first = await scene();
  await first.signIn();
  const other = await signInService();
  const id = idOf(first.mcp, 'guarded');
  await first.mcp.update(id, { url: other.url });
  await first.until('guarded', ({ state, target }) => target === other.url && state.kind === 'needs-sign-in');
  expect([...other.presented]).toEqual([]);
});

test('a server that moves to another sign-in service: nothing of the first one goes to the second', async () => {
  let where: string | null = null;
  const { mcp, host, service, signIn } = await scene({
    resourceMetadata: (origin) => ({ authorization_servers: [where ?? origin] }),
  });
  await signIn();
  const kept = (await host.secrets.get(`mcp-sign-in:${idOf(mcp, 'guarded')}`)) ?? '';
  const ofTheFirst = [...new Set(kept.match(/(access|refresh)-[\w-]+/g))];
  expect(ofTheFirst).toHaveLength(2);
  const next = await signInService();
  where = next.origin;
  service.expire();
  await expect(call(mcp, 'guarded', 'x')).rejects.toMatchObject({ code: 'mcp.sign-in-needed' });
  expect(next.tokenRequests).toEqual([]);
  await signIn().catch(() => undefined);
  expect(next.registered).toHaveLength(1);
  expect(next.tokenRequests[0]?.get('grant_type')).toBe('authorization_code');
  const sent = next.tokenRequests.map(String).join();
  for (const token of ofTheFirst) expect(sent).not.toContain(token);
});

const byHand = { oauth: { clientId: 'robot', clientSecret: 'secret-of-robot' } };
const right = (service: SignInService) => ({
  oauth: { ...byHand.oauth, issuer: service.origin },
});

/** The sign-in of the next start of the app, with what the last one kept. */
const laterSignIn = ({ mcp, host, service }: Scene, config = {}) =>
  createServerSignIn({
    serverId: idOf(mcp, 'guarded'),
    server: new URL(service.url),
    config,
    secrets: host.secrets,
    clock: host.clock,
    log: host.log,
    openExternal: () => Promise.reject(new Error('Nobody is asked.')),
    alone: (work) => work(),
  });

for (const [what, pinned] of Object.entries({
  'made known by hand': () => byHand,
  'bound to it': right,
  'that registered itself': () => ({ oauth: {} }),
}))
  test(`a server that moved to another sign-in service: signing out asks the one that gave the tokens, for a client ${what}`, async () => {
    let where: string | null = null;
    const behave: Behaviour = {
      resourceMetadata: (origin) => ({ authorization_servers: [where ?? origin] }),
    };
    const all = await scene(behave, what === 'that registered itself' ? {} : byHand);
    const { service, signIn } = all;
    await signIn();
    const next = await signInService();
    where = next.origin;
    await laterSignIn(all, pinned(service).oauth).signOut();
    expect(next.seen).toEqual([]);
    expect(service.revoked.map((token) => token.split('-')[0]).sort()).toEqual(['access', 'refresh']);
  });

for (const way of ['browser', 'device'] as const)
  test(`the secret of a client belongs to the service it was used at first, after a sign-out too (${way})`, async () => {
    let where: string | null = null;
    const { mcp, host, service, signIn } = await scene(
      { resourceMetadata: (origin) => ({ authorization_servers: [where ?? origin] }) },
      byHand,
    );
    const id = idOf(mcp, 'guarded');
    await signIn();
    await mcp.signOut(id);
    expect(await host.secrets.get(`mcp-sign-in:${id}`)).not.toMatch(/access|refresh|secret-of-robot/);
    const next = await signInService();
    next.approveDevice();
    where = next.origin;
    const refused = await signIn(way).catch((error: Error) => error.message);
    expect(refused).toContain(service.origin);
    expect(refused).toContain(next.origin);
    expect(refused).toContain('oauth.issuer');
    expect([next.credentials, next.tokenRequests, next.authorizations]).toEqual([[], [], []]);
    await mcp.update(id, right(next));
    // Agreed to: the client goes there. Its tokens are of no use at the server, which is the first one's.
    await signIn(way).catch(() => undefined);
    expect(next.tokenRequests.length).toBeGreaterThan(0);
    expect(next.credentials.length).toBeGreaterThan(0);
  });

for (const [what, refused] of Object.entries({
  'the one that renews': 'refresh_token',
  'the one in use': 'access_token',
}))
  test(`signing out says what was not taken back, and tries both tokens: ${what} is refused`, async () => {
    const { mcp, host, service, server, signIn } = await scene({
      revocation: (kind) => (kind === refused ? 503 : 200),
    });
    await signIn();
    const id = idOf(mcp, 'guarded');
    await expect(mcp.signOut(id)).rejects.toMatchObject({
      code: 'mcp.not-revoked',
      message: expect.stringContaining('did not take the tokens back'),
    });
    expect(service.revoked).toHaveLength(2);
    expect(await host.secrets.get(`mcp-sign-in:${id}`)).toBeNull();
    expect(server('guarded').signIn).toMatchObject({ signedIn: false });
  });

test('a service that cannot be reached has not taken the tokens back, which is said', async () => {
  const { mcp, service, signIn } = await scene();
  await signIn();
  service.close();
  await expect(mcp.signOut(idOf(mcp, 'guarded'))).rejects.toMatchObject({ code: 'mcp.not-revoked' });
});

test('what a service writes hides nothing from the person: reasons and codes', async () => {
  const hidden = '\u001b[2J\u0007\u202e';
  const refusing = await scene({
    callback(params) {
      params.delete('code');
      params.set('error', 'access_denied');
      params.set('error_description', `ask ${hidden}again`);
    },
  });
  const said = await refusing.signIn().catch((error: Error) => error.message);
  expect(said).toContain('ask');
  const coded = await scene({ userCode: `AB${hidden}CD` });
  const signedIn = coded.signIn('device');
  const { signIn } = await coded.until('guarded', (server) => server.signIn?.underWay != null);
  coded.service.approveDevice();
  await signedIn;
  for (const text of [said, signIn?.underWay?.code])
    for (const sign of hidden) if (sign < ' ' || sign > '~') expect(text).not.toContain(sign);
});

test('a token that no header can have is not kept, and stands in no message', async () => {
  const { mcp, host, signIn } = await scene({ badToken: true });
  const said = await signIn().catch((error: Error) => error.message);
  expect(said).toContain('cannot be sent');
  expect(said).not.toContain('access-');
  expect((await host.secrets.get(`mcp-sign-in:${idOf(mcp, 'guarded')}`)) ?? '').not.toContain('access-');
});

test('a description of the server that is elsewhere is not taken for none', async () => {
  const { service, signIn } = await scene({ resourceRedirect: 'http://127.0.0.1:1/elsewhere' });
  await expect(signIn()).rejects.toMatchObject({
    code: 'mcp.sign-in-failed',
    message: expect.stringContaining('127.0.0.1:1'),
  });
  expect(service.authorizations).toEqual([]);
});

test('what the SDK has to say of a sign-in goes into the log, not to the console', async () => {
  const said = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  onTestFinished(() => said.mockRestore());
  const { mcp, service, signIn } = await scene({ refuseRefresh: true });
  await signIn();
  service.expire();
  await expect(call(mcp, 'guarded', 'x')).rejects.toMatchObject({ code: 'mcp.sign-in-needed' });
  expect(said).not.toHaveBeenCalled();
});

test('a port for the answer of the browser that is taken is said to be taken', async () => {
  const other = await signInService();
  const { signIn } = await scene({}, { oauth: { callbackPort: Number(new URL(other.url).port) } });
  await expect(signIn()).rejects.toThrow(/The port \d+, .* cannot be used \(EADDRINUSE\)/);
});

test('stopping a sign-in ends it and leaves nothing', async () => {
  const service = await signInService();
  const { mcp, until } = await world({ guarded: { url: service.url } });
  const id = idOf(mcp, 'guarded');
  const stop = new AbortController();
  const signedIn = mcp.signIn(id, 'browser', stop.signal);
  const { signIn } = await until('guarded', (server) => server.signIn?.underWay != null);
  stop.abort();
  await expect(signedIn).rejects.toMatchObject({ code: 'request.cancelled' });
  const address = new URL(signIn?.underWay?.url ?? '').searchParams.get('redirect_uri') ?? '';
  await expect(fetch(address)).rejects.toThrow();
  await until('guarded', (server) => server.signIn?.underWay === null);
});

const hostile: Record<string, Behaviour> = {
  'does not say that it protects codes': {
    metadata: () => ({ code_challenge_methods_supported: undefined }),
  },
  'names a program as its page': { metadata: () => ({ authorization_endpoint: 'ms-calculator://x' }) },
  'names a script as its page': { metadata: () => ({ authorization_endpoint: 'javascript:alert(1)' }) },
  'names a file as its page': { metadata: () => ({ authorization_endpoint: 'file:///etc/passwd' }) },
  'names a page without encryption elsewhere': {
    metadata: () => ({ authorization_endpoint: 'http://198.51.100.7/authorize' }),
  },
  'names a token address without encryption elsewhere': {
    metadata: () => ({ token_endpoint: 'http://198.51.100.7/token' }),
  },
  'says that it is another issuer': { metadata: () => ({ issuer: 'http://127.0.0.1:1' }) },
  'answers in the name of another issuer': {
    callback: (params) => params.set('iss', 'https://evil.example'),
  },
  'leaves out the issuer it promised': { callback: (params) => params.delete('iss') },
  'gives an answer that nobody asked for': { callback: (params) => params.set('code', 'made-up') },
  'sends the code on to elsewhere': { redirectToken: 'http://127.0.0.1:1/steal' },
  'is for another resource': { resourceMetadata: () => ({ resource: 'https://other.example/mcp' }) },
};

for (const [what, behave] of Object.entries(hostile)) {
  test(`nobody is signed in where the service ${what}`, async () => {
    const { mcp, browser, signIn } = await scene(behave);
    await expect(signIn()).rejects.toMatchObject({ code: 'mcp.sign-in-failed' });
    expect(mcp.servers.get().servers.find(({ name }) => name === 'guarded')?.signIn).toEqual({
      signedIn: false,
      underWay: null,
    });
    for (const url of browser.opened) expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/authorize\?/);
  });
}

test('an error description is shown only when its sender is known', async () => {
  const bad = (iss: string | null): Behaviour => ({
    callback(params) {
      params.delete('code');
      params.set('error', 'access_denied');
      params.set('error_description', 'call 555-1234');
      if (iss !== null) params.set('iss', iss);
    },
  });
  const honest = await scene(bad(null));
  await expect(honest.signIn()).rejects.toThrow('555-1234');
  const forged = await scene(bad('https://evil.example'));
  const failure = await forged.signIn().catch((error: Error) => error.message);
  expect(failure).not.toContain('555-1234');
  expect(forged.browser.pages.map(({ text }) => text).join()).not.toContain('555-1234');
});

test('an answer with the wrong state, another host name or another path is not taken', async () => {
  const service = await signInService();
  const { mcp, until } = await world({ guarded: { url: service.url } });
  const stop = new AbortController();
  const signedIn = mcp.signIn(idOf(mcp, 'guarded'), 'browser', stop.signal);
  const { signIn } = await until('guarded', (server) => server.signIn?.underWay != null);
  const asked = new URL(signIn?.underWay?.url ?? '').searchParams;
  const back = asked.get('redirect_uri') ?? '';
  const status = async (url: string) => (await fetch(url)).status;
  expect(await status(`${back}?code=a&state=wrong&iss=${service.origin}`)).toBe(400);
  expect(await status(`${new URL(back).origin}/elsewhere?state=${asked.get('state')}`)).toBe(404);
  expect(await status(`${back.replace('127.0.0.1', 'localhost')}?state=${asked.get('state')}`)).toBe(404);
  stop.abort();
  await expect(signedIn).rejects.toMatchObject({ code: 'request.cancelled' });
});

test('a server that asks for proofs gets one with each request, of the same key after a new start, too', async () => {
  const all = await scene({ bound: true });
  const { mcp, service, signIn } = all;
  await signIn();
  expect((await call(mcp, 'guarded', 'x')).parts).toEqual([{ kind: 'text', text: 'read' }]);
  service.expire();
  expect((await call(mcp, 'guarded', 'x')).isError).toBe(false);
  expect([...service.presented].every((header) => header.startsWith('DPoP '))).toBe(true);

  const later = laterSignIn(all);
  const ask = later.proving(fetch);
  const ping = async (prove: typeof ask) => {
    const authorization = `Bearer ${await later.provider.token()}`;
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
    return (await prove(service.url, { method: 'POST', headers: { authorization }, body })).status;
  };
  expect(await ping(ask)).toBe(200);
  expect(await ping(fetch)).toBe(401);
  service.expire();
  await later.provider.onUnauthorized?.({ response: new Response() } as never);
  expect(await ping(ask)).toBe(200);
});

test('a server that asks for no proofs gets none, whatever its sign-in service could do', async () => {
  const { mcp, service, signIn } = await scene();
  await signIn();
  expect((await call(mcp, 'guarded', 'x')).isError).toBe(false);
  expect([...service.presented].every((header) => header.startsWith('Bearer '))).toBe(true);
});
