import { usesVault } from '../config/environment';
import { launchHash } from '../config/launch';
import { hashOf, isEnabled, logLevelOf, type ServerConfig } from '../config/server-config';
import { isRunning } from './lifecycle';
import type { Server } from './server';

/** Makes a server that is there already what its file says now. `later` waits for what takes a while. */
export function adaptServer(
  server: Server,
  config: ServerConfig,
  later: (work: Promise<void>) => void,
): void {
  const before = server.config();
  if (hashOf(before) === hashOf(config)) return;
  server.setConfig(config);
  const { supervisor } = server;
  const wasEnabled = isEnabled(before);
  const isOn = isEnabled(config);
  if (!isOn) {
    if (wasEnabled) later(supervisor.disable());
  } else if (!wasEnabled) {
    supervisor.enable();
    if (config.draft.autostart !== false) supervisor.start();
  } else if (launchHash(before) !== launchHash(config)) {
    const { kind } = supervisor.life.get().state;
    if (kind !== 'stopped') later(supervisor.restart());
  } else {
    const connection = supervisor.connection();
    void connection?.rootsChanged();
    // A server that does not take it sends what it likes; that is no failure.
    if (logLevelOf(before.draft) !== logLevelOf(config.draft))
      void connection?.setLogLevel(logLevelOf(config.draft)).catch(() => undefined);
  }
}

/** What a server that stays needs to hear about the new vault. */
export function settleIn(server: Server, mayAutostart: boolean, later: (work: Promise<void>) => void): void {
  const { supervisor } = server;
  const { level, draft } = server.config();
  const { state } = supervisor.life.get();
  if (state.kind === 'stopped' && mayAutostart && draft.autostart !== false) supervisor.start();
  else if (level === 'user' && usesVault(draft) && (isRunning(state) || state.kind === 'failed'))
    later(supervisor.restart());
  else if (level === 'user') void supervisor.connection()?.rootsChanged();
}
