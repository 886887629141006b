import {
  Activity,
  Command,
  Files,
  FolderKanban,
  History,
  type LucideIcon,
  Server,
  Settings,
  Wrench,
} from 'lucide-react';
import { useCommands } from '../base/keyboard/commands';
import { keyLabels } from '../base/keyboard/keys';
import { useLayout } from '../base/layout/layout';
import type { View } from '../base/layout/layout-state';
import { t } from '../base/text/text';
import { IconButton } from '../ui';

export function Ribbon() {
  const layout = useLayout();
  const current = layout.tabs.find(({ id }) => id === layout.activeTab);
  const view = current?.kind === 'view' ? current.view : null;
  const commands = useCommands((registry) => registry.commands);
  const keysOf = (id: string) => {
    const keys = commands.get(id)?.keys;
    return keys ? { keys: keyLabels(keys) } : {};
  };
  const viewButton = (name: View, icon: LucideIcon, label: string) => (
    <IconButton
      icon={icon}
      label={label}
      side="right"
      pressed={view === name}
      onClick={() => layout.openView(name)}
    />
  );
  return (
    <nav className="ribbon" aria-label={t('ribbon.label')}>
      <IconButton
        icon={Files}
        label={t('ribbon.files')}
        side="right"
        pressed={layout.leftOpen}
        onClick={layout.toggleLeft}
        {...keysOf('view.left')}
      />
      <IconButton
        icon={Wrench}
        label={t('ribbon.tools')}
        side="right"
        onClick={() => layout.show({ kind: 'tools', serverId: null })}
        {...keysOf('tools.open')}
      />
      {viewButton('servers', Server, t('ribbon.servers'))}
      {viewButton('health', Activity, t('ribbon.health'))}
      {viewButton('history', History, t('ribbon.history'))}
      {viewButton('projects', FolderKanban, t('ribbon.projects'))}
      <span className="ribbon-space" />
      <IconButton
        icon={Command}
        label={t('ribbon.palette')}
        side="right"
        onClick={() => layout.show({ kind: 'palette' })}
        {...keysOf('palette.open')}
      />
      <IconButton
        icon={Settings}
        label={t('ribbon.settings')}
        side="right"
        onClick={() => layout.show({ kind: 'settings', section: 'general' })}
        {...keysOf('settings.open')}
      />
    </nav>
  );
}
