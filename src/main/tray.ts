import type { Menu, MenuItemConstructorOptions, Tray } from 'electron';
import type { ServerEntry } from '../contract/mcp';
import { type ServerAction, serverCondition, serves, standingOf } from '../contract/server-state';
import { serverStateWords } from '../contract/server-state-words';
import type { VaultEntry } from '../contract/vault';
import type { App } from '../core/app';

export interface TrayActions {
  show(): void;
  openNote(path: string): void;
  newConversation(): void;
  start(serverId: string): void;
  stop(serverId: string): void;
  restart(serverId: string): void;
  setEnabled(serverId: string, enabled: boolean): void;
  setPaused(paused: boolean): void;
  quit(): void;
}

const recentNotes = 7;

/** What the tray says, from the state alone. */
export function trayTemplate(
  state: { servers: readonly ServerEntry[]; notes: readonly VaultEntry[]; paused: boolean },
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
    { label: serversLine(state.servers, state.paused), enabled: false },
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

export function serversLine(servers: readonly ServerEntry[], paused = false): string {
  const switchedOn = servers.filter(({ state }) => serverCondition(state) !== 'off');
  const line = `MCP ${switchedOn.filter(({ state }) => serves(state)).length}/${switchedOn.length}`;
  return paused ? `${line} · tools paused` : line;
}

function serverItem({ id, name, state }: ServerEntry, actions: TrayActions): MenuItemConstructorOptions {
  const does: Readonly<Record<ServerAction, MenuItemConstructorOptions>> = {
    'turn-on': { label: 'Turn on again', click: () => actions.setEnabled(id, true) },
    'keep-off': { label: 'Keep off', click: () => actions.setEnabled(id, false) },
    start: { label: 'Start', click: () => actions.start(id) },
    stop: { label: 'Stop', click: () => actions.stop(id) },
    restart: { label: 'Restart', click: () => actions.restart(id) },
    'sign-in': { label: 'Sign in …', click: () => actions.show() },
  };
  return {
    label: `${name}: ${serverStateWords[serverCondition(state)]}`,
    submenu: standingOf(state).actions.map((action) => does[action]),
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
  actions: Pick<TrayActions, 'show' | 'openNote' | 'newConversation' | 'quit'>;
}): () => void {
  const { mcp } = app;
  const ignore = () => undefined;
  const all: TrayActions = {
    ...actions,
    start: (id) => void mcp.start(id).catch(ignore),
    stop: (id) => void mcp.stop(id).catch(ignore),
    restart: (id) => void mcp.restart(id).catch(ignore),
    setEnabled: (id, enabled) => void mcp.setEnabled(id, enabled).catch(ignore),
    setPaused: mcp.setPaused,
  };
  let last = '';

  function draw(): void {
    const { servers, paused } = mcp.servers.get();
    const notes = app.vault.state.get().kind === 'open' ? app.vault.entries() : [];
    const template = trayTemplate({ servers, notes, paused }, all);
    // A menu that is replaced while it is open closes on some desktops.
    const now = JSON.stringify(template);
    if (now === last) return;
    last = now;
    tray.setToolTip(`Interlinear · ${serversLine(servers, paused)}`);
    tray.setContextMenu(buildMenu(template));
  }

  const stops = [mcp.servers.onChange(draw), app.vault.state.onChange(draw)];
  tray.on('click', actions.show);
  draw();
  return () => {
    for (const stop of stops) stop();
    tray.destroy();
  };
}
