import { useEffect, useState } from 'react';
import { tagName } from '../../../contract/providers';
import { usePicture } from '../../app/core';
import { failureText } from '../../app/failure';
import { t } from '../../app/text';
import { Callout, Field, Input } from '../../ui';
import { useSettings } from './use-settings';

export function Tags() {
  const { settings, change, error } = useSettings();
  const providers = usePicture('providers.list', {}) ?? [];
  if (!settings) return null;
  return (
    <div className="settings-fields">
      <p className="settings-quiet">{t('settings.tagsText')}</p>
      {error && <Callout tone="bad">{failureText(error)}</Callout>}
      {(['newChat', 'user', 'system'] as const).map((role) => (
        <TagList
          key={role}
          label={t(`settings.tags.${role}`)}
          tags={settings.tags[role]}
          onChange={(tags) => change({ tags: { [role]: tags } })}
        />
      ))}
      <Field label={t('settings.tags.assistant')} hint={t('settings.tags.assistantHint')}>
        {() => <p>{providers.map(({ tag }) => `#${tag}`).join(', ') || '–'}</p>}
      </Field>
    </div>
  );
}

function TagList({
  label,
  tags,
  onChange,
}: {
  label: string;
  tags: string[];
  onChange(tags: string[]): void;
}) {
  const [text, setText] = useState(tags.join(', '));
  const joined = tags.join(', ');
  useEffect(() => setText(joined), [joined]);
  const read = text
    .split(/[,\uFF0C、]/)
    .map((tag) => tag.trim().replace(/^#/, ''))
    .filter((tag) => tag !== '');
  const good = read.length > 0 && read.every((tag) => tagName.test(tag));
  return (
    <Field label={label} hint={t('settings.tagsHint')} error={good ? null : t('settings.tagsBad')}>
      {(ties) => (
        <Input
          {...ties}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onBlur={() => good && read.join(', ') !== joined && onChange(read)}
        />
      )}
    </Field>
  );
}
