import { throwUnlessSeen } from '../foundation';
import type { SecretStore } from '../host';
import type { Configuration } from './config/configuration';
import { isEnabled, revisionOf } from './config/server-config';
import { withStoredSecrets } from './config/shown-values';
import type { Mcp } from './mcp';
import type { SignIns } from './oauth/sign-ins';
import type { ServerSet } from './server-set';

/** Of a definition, in an entry: a shorter one could be guessed. */
const definitionLength = 16;

/** What a person changes of servers' entries; the servers follow their files. */
export function changesOfServers({
  servers,
  configuration,
  loaded,
  secrets,
  signIns,
}: {
  servers: ServerSet;
  configuration: Configuration;
  /** The files were read for the first time. */
  loaded: Promise<void>;
  secrets: SecretStore;
  signIns: Pick<SignIns, 'signOut'>;
}): Pick<
  Mcp,
  | 'add'
  | 'update'
  | 'remove'
  | 'setEnabled'
  | 'setToolTimeout'
  | 'setToolEnabled'
  | 'setToolApproval'
  | 'setToolFlow'
> {
  return {
    async add(level, drafts) {
      await loaded;
      const entries: (typeof drafts)[number][] = [];
      for (const draft of drafts) entries.push(await withStoredSecrets(draft, draft, secrets));
      const serverIds = await configuration.add(level, entries);
      for (const id of serverIds) {
        const server = servers.get(id);
        if (server) servers.autostart(server);
      }
      return { serverIds };
    },
    async update(serverId, changes, seenRevision) {
      const config = servers.of(serverId).config();
      const stored = await withStoredSecrets(config.draft, changes, secrets);
      throwUnlessSeen(seenRevision, revisionOf(servers.of(serverId).config()));
      await configuration.update(config, stored);
    },
    async remove(serverId) {
      await configuration.remove(servers.of(serverId).config());
      await signIns.signOut(serverId).catch(() => undefined);
    },
    async setEnabled(serverId, enabled) {
      const server = servers.of(serverId);
      if (isEnabled(server.config()) !== enabled) await configuration.update(server.config(), { enabled });
      // Given up after failures it is on in its file.
      else if (enabled && server.supervisor.life.get().state.kind === 'disabled') server.supervisor.start();
    },
    async setToolTimeout(serverId, tool, timeout, seenTimeout) {
      const config = servers.of(serverId).config();
      const { [tool]: before, ...others } = config.draft.toolTimeouts ?? {};
      throwUnlessSeen(seenTimeout, before);
      const toolTimeouts = { ...others, ...(timeout !== null && { [tool]: timeout }) };
      await configuration.update(config, {
        toolTimeouts: Object.keys(toolTimeouts).length === 0 ? null : toolTimeouts,
      });
    },
    async setToolEnabled(serverId, tool, enabled) {
      const config = servers.of(serverId).config();
      const others = (config.draft.disabledTools ?? []).filter((name) => name !== tool);
      await configuration.update(config, { disabledTools: enabled ? others : [...others, tool] });
    },
    async setToolFlow(serverId, { name, definition }, flow) {
      const config = servers.of(serverId).config();
      const { [name]: _before, ...others } = config.draft.flow ?? {};
      const rules = {
        ...others,
        ...(flow && { [name]: { ...flow, definition: definition.slice(0, definitionLength) } }),
      };
      await configuration.update(config, { flow: Object.keys(rules).length === 0 ? null : rules });
    },
    setToolApproval: async (serverId, tool, approval) =>
      configuration.setApproval(servers.of(serverId).config(), tool, approval),
  };
}
