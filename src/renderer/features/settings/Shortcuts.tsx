import { useState } from 'react';
import { useCommands } from '../../base/keyboard/commands';
import { keyLabels } from '../../base/keyboard/keys';
import { t } from '../../base/text/text';
import { Kbd, SearchField } from '../../ui';

export function Shortcuts() {
  const [query, setQuery] = useState('');
  const commands = useCommands((registry) => registry.commands);
  const words = query.trim().toLowerCase();
  const rows = [...commands.values()].filter(({ title, keys = '' }) =>
    [title, keys, keyLabels(keys).join('+'), keyLabels(keys).join(' ')].some((text) =>
      text.toLowerCase().includes(words),
    ),
  );
  return (
    <div className="settings-fields">
      <p className="settings-quiet">{t('settings.shortcutsText')}</p>
      <SearchField
        label={t('settings.shortcutsFind')}
        value={query}
        onChange={(event) => setQuery(event.target.value)}
      />
      <ul className="settings-list">
        {rows.map(({ id, title, keys }) => (
          <li key={id}>
            <span className="settings-list-text">
              <span>{title}</span>
            </span>
            {keys ? (
              <Kbd keys={keyLabels(keys)} />
            ) : (
              <small className="settings-quiet">{t('settings.noKeys')}</small>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}
