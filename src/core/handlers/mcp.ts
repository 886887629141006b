import type { Handlers } from '../../contract/define';
import type { mcpOperations } from '../../contract/mcp';
import type { App } from '../app';
import { updateServer } from '../server-renamed';

export function mcpHandlers(app: App): Handlers<typeof mcpOperations> {
  const { mcp } = app;
  return {
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
  };
}
