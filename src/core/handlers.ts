import type { Handlers } from '../contract/define';
import type { AppOperations } from '../contract/operations';
import type { App } from './app';
import { pageSettings } from './page-settings';
import { updateServer } from './server-renamed';
import { settingsTroubles } from './settings';
import { forScreen } from './tools';
import { vaultKey } from './vault';

/** Which part of the core answers which operation. Adding an operation breaks this file until it is answered. */
export function createHandlers(app: App): Handlers<AppOperations> {
  const {
    host,
    settings,
    vault,
    notes,
    mcp,
    tools,
    providers,
    agents,
    chat,
    hooks,
    health,
    notices,
    projects,
    views,
    versions,
    recovery,
    windows,
  } = app;
  const shownSettings = pageSettings(settings);
  return {
    'app.info': () => ({ ...host.info, secretStore: host.secrets.kind }),
    'app.openExternal': ({ url }) => app.openExternal(url),
    'app.pickFolder': () => host.pickFolder(),
    'app.notices': (_input, { signal }) => notices.list.follow(signal),
    'app.dismissNotice': ({ id }) => notices.dismiss(id),

    'vault.state': (_input, { signal }) => vault.state.follow(signal),
    'vault.open': async ({ path, force }) => ({ path: await app.openVault(path, { force }) }),
    'vault.close': ({ force }) => app.closeVault({ force }),
    'vault.lookAround': () => vault.lookAround(),
    'vault.openSample': async ({ force }) => ({ path: await app.openSampleVault({ force }) }),
    'vault.recent': () => app.recentVaults(),
    'vault.trust': ({ trusted, agreed }) => app.trustVault(trusted, agreed),
    'vault.entries': (_input, { signal }) => vault.followEntries(signal),
    'vault.read': ({ path }) => vault.read(path),
    'vault.write': ({ path, text, expectedVersion }) => vault.write(path, text, expectedVersion),
    'vault.create': ({ path, text }) => vault.create(path, text),
    'vault.createFolder': ({ path }) => vault.createFolder(path),
    'vault.rename': ({ from, to }) => vault.rename(from, to),
    'vault.trash': ({ path }) => vault.trash(path),
    'vault.imageAddress': ({ target, from }) => {
      const path = vault.findLinked(target, from) ?? target;
      return host.imageAddress?.(path) ?? `/files/${path.split('/').map(encodeURIComponent).join('/')}`;
    },

    'notes.follow': ({ path, seen }, { signal }) => app.followNote(path, seen, signal),
    'notes.push': ({ path, sessionId, version, epoch, updates }) =>
      app.authority.typed(path, () => notes.push(path, sessionId, version, updates, epoch)),
    'notes.keep': ({ path, text, vault: of }) => ({ keptAs: notes.keep(path, text, of) }),
    'notes.save': ({ path }) => notes.save(path),

    'chat.run': async ({ path, at, version, tag, model, trim, replace, beside, again, room }) => {
      const { runId } = await chat.run({
        ...{ path, at, version },
        ...(tag && { tag }),
        ...(model && { model }),
        ...(trim && { trim }),
        ...(replace && { replace }),
        ...(beside && { beside }),
        ...(again && { again }),
        ...(room && { room }),
      });
      return { runId };
    },
    'chat.stop': ({ runId }) => chat.stop(runId),
    'chat.retryLater': ({ on, ...wish }) => app.retryLater.set(wish, on),
    'chat.waiting': (_input, { signal }) => app.retryLater.waiting.follow(signal),
    'chat.answerer': (place) => chat.answerer(place),
    'chat.runBlock': (place) => chat.runBlock(place),
    'chat.agreeToNote': ({ path, ...power }) => app.authority.agree(path, power),
    'chat.stopCall': ({ callId }) => chat.stopCall(callId),
    'chat.promptTurns': async ({ serverId, name, arguments: args }, { signal }) => ({
      turns: await chat.promptTurns({
        server: mcp.find(serverId)?.name ?? serverId,
        name,
        said: await mcp.getPrompt(serverId, name, args, signal),
      }),
    }),
    'chat.runs': (_input, { signal }) => chat.runs.follow(signal),
    'chat.preview': ({ path, at, version, tag }, { signal }) =>
      chat.preview({ path, at, version, ...(tag && { tag }) }, signal),

    'mcp.servers': (_input, { signal }) => mcp.servers.follow(signal),
    'mcp.recognise': ({ text }) => mcp.recognise(text),
    'mcp.roots': ({ serverId }) => mcp.roots(serverId),
    'mcp.templates': () => [...mcp.templates()],
    'mcp.elsewhere': async () => mcp.elsewhere(),
    'mcp.export': async () => ({ text: await mcp.exportServers() }),
    'mcp.add': ({ level, servers }) => mcp.add(level, servers),
    'mcp.update': ({ serverId, changes, seen }) => updateServer(app, serverId, changes, seen),
    'mcp.secrets': ({ names }) =>
      Promise.all(names.map(async (name) => ({ name, stored: await mcp.hasSecret(name) }))),
    'mcp.storeSecret': ({ name, value }) => mcp.storeSecret(name, value),
    'mcp.remove': ({ serverId }) => mcp.remove(serverId),
    'mcp.start': ({ serverId }) => mcp.start(serverId),
    'mcp.stop': ({ serverId }) => mcp.stop(serverId),
    'mcp.restart': ({ serverId }) => mcp.restart(serverId),
    'mcp.setEnabled': ({ serverId, enabled }) => mcp.setEnabled(serverId, enabled),
    'mcp.setPaused': ({ paused }) => mcp.setPaused(paused),
    'mcp.signIn': ({ serverId, way }, { signal }) => mcp.signIn(serverId, way, signal),
    'mcp.signOut': ({ serverId }) => mcp.signOut(serverId),
    'mcp.resources': ({ serverId }) => mcp.resources(serverId),
    'mcp.readResource': ({ serverId, uri }, { signal }) => mcp.readResource(serverId, uri, signal),
    'mcp.followResource': ({ serverId, uri }, { signal }) => mcp.followResource(serverId, uri, signal),
    'mcp.prompts': ({ serverId }) => mcp.prompts(serverId),
    'mcp.getPrompt': ({ serverId, name, arguments: args }, { signal }) =>
      mcp.getPrompt(serverId, name, args, signal),
    'mcp.complete': ({ serverId, ...question }, { signal }) => mcp.complete(serverId, question, signal),
    'mcp.asks': (_input, { signal }) => mcp.asks.follow(signal),
    'mcp.answer': ({ id, answer }) => mcp.asks.answer(id, answer),
    'mcp.test': ({ server }, { signal }) => mcp.test(server, signal),
    'mcp.log': ({ serverId }, { signal }) => mcp.log(serverId).follow(signal),

    'tools.catalog': (_input, { signal }) => tools.catalog.follow(signal),
    'tools.lastUsed': (_input, { signal }) => tools.lastUsed.follow(signal),
    'tools.call': async (input, { signal }) => forScreen(await app.callToolByHand(input, signal)),
    'tools.approvals': (_input, { signal }) => tools.approvals.follow(signal),
    'tools.decide': ({ id, decision }) => tools.decide(id, decision),
    'tools.setEnabled': ({ serverId, tool, enabled }) => tools.setEnabled(serverId, tool, enabled),
    'tools.setTimeout': ({ serverId, tool, timeout, seen }) =>
      tools.setTimeout(serverId, tool, timeout, seen),
    'tools.setApproval': ({ serverId, tool, approval }) => tools.setApproval(serverId, tool, approval),
    'tools.grants': (_input, { signal }) => tools.grants.follow(signal),
    'tools.revoke': ({ id }) => tools.revoke(id),
    'tools.limits': (_input, { signal }) => tools.limits.follow(signal),
    'tools.resetLimit': ({ path }) => tools.resetLimit(path),

    'history.find': (filter) => tools.history.find(filter),
    'history.overview': ({ bars, ...filter }) => tools.history.overview(filter, bars),
    'history.facets': () => tools.history.facets(),
    'history.export': ({ format, ...filter }, { signal }) => tools.history.export(filter, format, signal),
    'history.clear': async (filter) => ({ removed: await tools.history.clear(filter) }),
    'history.changes': (_input, { signal }) => tools.history.changes.follow(signal),

    'views.open': (what, { signal }) => views.open(what, signal),
    'views.call': ({ viewId, tool, arguments: args }, { signal }) => views.call(viewId, tool, args, signal),
    'views.read': ({ viewId, uri }, { signal }) => views.read(viewId, uri, signal),
    'views.resources': ({ viewId }, { signal }) => views.resources(viewId, signal),
    'views.prompts': ({ viewId }, { signal }) => views.prompts(viewId, signal),
    'views.tell': ({ viewId, text }) => views.tell(viewId, text),

    'providers.vendors': () => [...providers.vendors()],
    'providers.list': (_input, { signal }) => providers.list.follow(signal),
    'providers.save': ({ provider, key, seen }) => providers.save(provider, key, seen),
    'providers.remove': ({ providerId }) => providers.remove(providerId),
    'providers.setDefault': ({ providerId }) => providers.setDefault(providerId),
    'providers.check': ({ provider, key }, { signal }) => providers.check(provider, key, signal),

    'providers.models': ({ provider, key, refresh }, { signal }) =>
      providers.models(provider, key, refresh, signal),
    'providers.pull': ({ provider, model }, { signal }) => providers.pull(provider, model, signal),
    'providers.prices': (_input, { signal }) => providers.prices.follow(signal),
    'providers.setPrice': ({ vendor, model, price, seen }) => providers.setPrice(vendor, model, price, seen),
    'providers.usage': ({ by, since }) => {
      const open = vault.state.get().kind === 'open';
      return app.usage.totals(by, open ? vaultKey(vault) : '', since);
    },

    'agents.list': (_input, { signal }) => agents.list.follow(signal),
    'agents.prompts': (_input, { signal }) => app.prompts.list.follow(signal),
    'agents.fillPrompt': ({ path, selection, note, arguments: given }) => ({
      text: app.prompts.fill(path, { selection, note, arguments: given }),
    }),
    'hooks.list': (_input, { signal }) => hooks.list.follow(signal),
    'hooks.save': ({ hook, replaces, seen }) => hooks.save(hook, replaces, seen),
    'hooks.setEnabled': ({ name, enabled }) => hooks.setEnabled(name, enabled),
    'hooks.remove': ({ name }) => hooks.remove(name),
    'hooks.run': ({ name, path }) => hooks.run(name, path),

    'agents.findTars': () => app.tars.find(),
    'agents.importTars': ({ seen, chosen }) => app.tars.take(seen, chosen),

    'settings.current': (_input, { signal }) => shownSettings.follow(signal),
    'settings.troubles': () => settingsTroubles(settings.current.get()),
    'settings.change': ({ changes, seen }) => shownSettings.change(changes, seen),

    'health.report': (_input, { signal }) => health.report.follow(signal),

    'projects.state': (_input, { signal }) => projects.state(signal),
    'projects.overview': projects.overview,
    'projects.list': projects.list,
    'projects.decisions': projects.decisions,
    'projects.entity': projects.entity,
    'projects.find': projects.find,
    'projects.create': projects.create,
    'projects.update': projects.update,
    'projects.check': projects.check,
    'projects.repair': projects.repair,
    'projects.repairs': projects.repairs,
    'projects.undoRepair': projects.undoRepair,
    'projects.canvas': projects.canvas,
    'projects.moveNodes': projects.moveNodes,
    'projects.addMissing': projects.addMissing,

    'versions.timeline': ({ path }, { signal }) => versions.followTimeline(path, signal),
    'versions.read': async ({ path, id }) => ({ text: await versions.read(path, id) }),
    'versions.changes': ({ path, id }) => versions.changes(path, id),
    'versions.preview': ({ path, id }) => versions.preview(path, id),
    'versions.restore': ({ path, id, basis, hunks }) => versions.restore(path, id, basis, hunks),
    'versions.deleted': (_input, { signal }) => versions.followDeleted(signal),
    'versions.restoreDeleted': ({ id }) => versions.restoreDeleted(id),
    'versions.writeAgain': ({ path, ...words }) => versions.writeAgain(path, words),
    'versions.forget': ({ what }) => versions.forget(what),
    'versions.answers': ({ path }) => versions.answers(path ?? null),
    'versions.restorable': ({ path }, { signal }) => versions.followRestorable(path, signal),
    'versions.beforeAnswer': ({ runId }) => versions.beforeAnswer(runId),
    'versions.restoreBeforeAnswer': ({ runId, notes }) => versions.restoreBeforeAnswer(runId, notes),

    'recovery.list': (_input, { signal }) => recovery.follow(signal),
    'recovery.read': ({ id, part }) => recovery.readStart(id, part),
    'recovery.compare': ({ id, part, path }) => recovery.compare(id, part, path),
    'recovery.restore': ({ id, part, path, basis, hunks }) => recovery.restore(id, part, path, basis, hunks),
    'recovery.restoreAsNew': ({ id, part }) => recovery.restoreAsNew(id, part),
    'recovery.discard': ({ id }) => recovery.discard(id),

    'windows.enter': (input, { signal }) => windows.enter(input, signal),
    'windows.keep': (changes) => windows.keep(changes),
    'windows.takeUp': (what) => windows.takeUp(what),
  };
}
