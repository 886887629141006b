import type { Menu, MenuItemConstructorOptions, Tray } from 'electron';
import type { ServerPicture, ServerState } from '../contract/mcp';
import type { VaultEntry } from '../contract/vault';
import type { App } from '../core/app';

export interface TrayActions {
  show(): void;
  openNote(path: string): void;
  newConversation(): void;
  start(serverId: string): void;
  stop(serverId: string): void;
  restart(serverId: string): void;
  setPaused(paused: boolean): void;
  quit(): void;
}

const recentNotes = 7;

const stateWords: Readonly<Record<ServerState['kind'], string>> = {
  stopped: 'stopped',
  starting: 'starting',
  ready: 'ready',
  degraded: 'slow',
  unhealthy: 'not answering',
  'needs-sign-in': 'needs sign-in',
  waiting: 'waiting to retry',
  failed: 'failed',
  disabled: 'disabled',
};

/** What the tray says, from the state alone. */
export function trayTemplate(
  state: { servers: readonly ServerPicture[]; notes: readonly VaultEntry[]; paused: boolean },
  actions: TrayActions,
): MenuItemConstructorOptions[] {
  const notes = state.notes
    .filter(({ kind }) => kind === 'note')
    .toSorted((a, b) => b.modified - a.modified)
    .slice(0, recentNotes);
  return [
    { label: 'Show Interlinear', click: actions.show },
    { label: 'New conversation', click: actions.newConversation },
    { type: 'separator' },
    { label: serversLine(state.servers), enabled: false },
    ...state.servers.map((server) => serverItem(server, actions)),
    {
      label: 'Pause all tools',
      type: 'checkbox',
      checked: state.paused,
      click: ({ checked }) => actions.setPaused(checked),
    },
    { type: 'separator' },
    ...notes.map(({ path }) => ({ label: path.replace(/\.md$/, ''), click: () => actions.openNote(path) })),
    { type: 'separator' },
    { label: 'Quit', click: actions.quit },
  ];
}

export function serversLine(servers: readonly ServerPicture[]): string {
  const ready = servers.filter(({ state }) => state.kind === 'ready').length;
  return `MCP ${ready}/${servers.length}`;
}

function serverItem({ id, name, state }: ServerPicture, actions: TrayActions): MenuItemConstructorOptions {
  const running = state.kind === 'ready' || state.kind === 'degraded' || state.kind === 'starting';
  return {
    label: `${name}: ${stateWords[state.kind]}`,
    submenu: [
      { label: 'Start', enabled: !running && state.kind !== 'disabled', click: () => actions.start(id) },
      { label: 'Stop', enabled: running, click: () => actions.stop(id) },
      { label: 'Restart', enabled: state.kind !== 'disabled', click: () => actions.restart(id) },
    ],
  };
}

/** Keeps the tray's menu true to the core. Returns what takes the tray away. */
export function createTray({
  tray,
  buildMenu,
  app,
  actions,
}: {
  tray: Pick<Tray, 'setContextMenu' | 'setToolTip' | 'on' | 'destroy'>;
  buildMenu: (template: MenuItemConstructorOptions[]) => Menu;
  app: Pick<App, 'mcp' | 'vault'>;
  actions: Omit<TrayActions, 'setPaused'>;
}): () => void {
  /** Servers that the pause disabled, to be enabled again by its end. */
  let paused: readonly string[] | undefined;
  let shown = '';

  function setPaused(pause: boolean): void {
    const ids = pause
      ? app.mcp.servers.get().servers.flatMap(({ id, enabled }) => (enabled ? [id] : []))
      : (paused ?? []);
    paused = pause ? ids : undefined;
    for (const id of ids) void app.mcp.setEnabled(id, !pause).catch(() => undefined);
    draw();
  }

  function draw(): void {
    const { servers } = app.mcp.servers.get();
    const notes = app.vault.state.get().kind === 'open' ? app.vault.entries() : [];
    const template = trayTemplate(
      { servers, notes, paused: paused !== undefined },
      { ...actions, setPaused },
    );
    // A menu that is replaced while it is open closes on some desktops.
    const now = JSON.stringify(template);
    if (now === shown) return;
    shown = now;
    tray.setToolTip(`Interlinear · ${serversLine(servers)}`);
    tray.setContextMenu(buildMenu(template));
  }

  const stops = [app.mcp.servers.onChange(draw), app.vault.state.onChange(draw)];
  tray.on('click', actions.show);
  draw();
  return () => {
    for (const stop of stops) stop();
    tray.destroy();
  };
}
