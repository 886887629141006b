import type { MenuItemConstructorOptions } from 'electron';

/** The system's menu: what every program has. The app's own commands live in its palette. */
export function menuTemplate(
  platform: NodeJS.Platform,
  actions: { newConversation: () => void },
  isInstalled: boolean,
): MenuItemConstructorOptions[] {
  const mac = platform === 'darwin';
  return [
    ...(mac ? [{ role: 'appMenu' as const }] : []),
    {
      label: 'File',
      submenu: [
        { label: 'New conversation', click: actions.newConversation },
        { type: 'separator' },
        mac ? { role: 'close' } : { role: 'quit' },
      ],
    },
    { role: 'editMenu' },
    {
      label: 'View',
      submenu: [
        // A page with words that are nowhere else asks before it goes.
        { role: 'reload' },
        { type: 'separator' },
        { role: 'resetZoom' },
        { role: 'zoomIn' },
        { role: 'zoomOut' },
        { type: 'separator' },
        { role: 'togglefullscreen' },
        ...(isInstalled ? [] : [{ role: 'toggleDevTools' as const }]),
      ],
    },
    { role: 'windowMenu' },
  ];
}
