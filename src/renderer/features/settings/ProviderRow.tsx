import { Ellipsis, Pencil, Star, Trash2 } from 'lucide-react';
import type { ProviderEntry } from '../../../contract/providers';
import { t } from '../../base/text/text';
import { Badge, Button, IconButton, Menu, type Tone } from '../../ui';

const keyTones: Record<ProviderEntry['key'], Tone> = {
  stored: 'neutral',
  environment: 'neutral',
  missing: 'warn',
  'not-needed': 'neutral',
};

interface ProviderRowProps {
  provider: ProviderEntry;
  onEdit(): void;
  onMakeDefault(): void;
  onRemove(): void;
}

/** A provider in the list: its model, its tag, its key, and what can be done with it. */
export function ProviderRow({ provider, onEdit, onMakeDefault, onRemove }: ProviderRowProps) {
  return (
    <li>
      <span className="settings-list-text">
        <span>
          {provider.label} <span className="settings-tag">#{provider.tag}</span>
        </span>
        <small>{provider.model}</small>
        {provider.tagTaken && (
          <small className="settings-problem">{t(`providers.tag.${provider.tagTaken}`)}</small>
        )}
      </span>
      {provider.tagTaken && <Badge tone="bad">{t('tag.unusable')}</Badge>}
      {provider.isDefault && <Badge tone="accent">{t('providers.default')}</Badge>}
      {provider.keyRefused ? (
        <Badge tone="bad">{t('providers.keyRefused')}</Badge>
      ) : (
        <Badge tone={keyTones[provider.key]}>{t(`providers.key.${provider.key}`)}</Badge>
      )}
      <Button size="s" data-opens={provider.id} onClick={onEdit}>
        {t('providers.edit')}
      </Button>
      <Menu
        align="end"
        items={[
          { label: t('providers.edit'), icon: Pencil, run: onEdit },
          {
            label: t('providers.makeDefault'),
            icon: Star,
            disabled: provider.isDefault,
            run: onMakeDefault,
          },
          { kind: 'line' },
          {
            label: t('providers.remove'),
            icon: Trash2,
            danger: true,
            run: onRemove,
          },
        ]}
      >
        <IconButton icon={Ellipsis} label={t('ui.more')} />
      </Menu>
    </li>
  );
}
