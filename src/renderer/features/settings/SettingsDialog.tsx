import {
  Bot,
  Braces,
  Coins,
  FolderOpen,
  Hash,
  Info,
  Keyboard,
  Palette,
  Server,
  Sparkles,
  X,
  Zap,
} from 'lucide-react';
import { useLayout } from '../../base/layout/layout';
import { t } from '../../base/text/text';
import { Dialog, IconButton } from '../../ui';
import { About } from './About';
import { Agents } from './Agents';
import { General } from './General';
import { Hooks } from './Hooks';
import { Providers } from './Providers';
import { Servers } from './Servers';
import { Shortcuts } from './Shortcuts';
import { Tags } from './Tags';
import { ToolLimits } from './ToolLimits';
import { Usage } from './Usage';
import { Vault } from './Vault';
import './settings.css';

const sections = [
  { id: 'general', icon: Palette, Content: General },
  { id: 'vault', icon: FolderOpen, Content: Vault },
  { id: 'providers', icon: Sparkles, Content: Providers },
  { id: 'agents', icon: Bot, Content: Agents },
  { id: 'hooks', icon: Zap, Content: Hooks },
  { id: 'usage', icon: Coins, Content: Usage },
  { id: 'tools', icon: Braces, Content: ToolLimits },
  { id: 'servers', icon: Server, Content: Servers },
  { id: 'tags', icon: Hash, Content: Tags },
  { id: 'shortcuts', icon: Keyboard, Content: Shortcuts },
  { id: 'about', icon: Info, Content: About },
] as const;

export function SettingsDialog({ section, onClose }: { section: string; onClose(): void }) {
  const show = useLayout((layout) => layout.show);
  const current = sections.find(({ id }) => id === section) ?? sections[0];
  const { Content } = current;
  return (
    <Dialog title={t('settings.title')} size="settings" bare onClose={onClose}>
      <div className="settings">
        <nav className="settings-nav" aria-label={t('settings.sections')}>
          <h2>{t('settings.title')}</h2>
          {sections.map(({ id, icon: Icon }) => (
            <button
              key={id}
              type="button"
              aria-current={id === current.id}
              onClick={() => show({ kind: 'settings', section: id })}
            >
              <Icon size={15} strokeWidth={1.75} aria-hidden />
              {t(`settings.${id}`)}
            </button>
          ))}
        </nav>
        <div className="settings-content" key={current.id} tabIndex={-1}>
          <header>
            <h3>{t(`settings.${current.id}`)}</h3>
            <IconButton icon={X} label={t('ui.close')} onClick={onClose} />
          </header>
          <Content />
        </div>
      </div>
    </Dialog>
  );
}
