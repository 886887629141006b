import { tagName } from '../../../contract/providers';
import { newClash, tagTaken } from '../../../contract/tag-meanings';
import { useCoreState } from '../../base/core/core';
import { DraftNote } from '../../base/drafts/DraftNote';
import { Awaited, LastKnown } from '../../base/parts/NotConnected';
import { type SettingName, useSavedText } from '../../base/parts/use-saved-text';
import { failureText } from '../../base/text/error-words';
import { t } from '../../base/text/text';
import { Badge, Callout, Field, Input } from '../../ui';
import { useSettings } from './use-settings';

export function Tags() {
  const { settings, replace, error } = useSettings();
  const providers = useCoreState('providers.list', {}) ?? [];
  if (!settings) return <Awaited />;
  return (
    <div className="settings-fields">
      <LastKnown />
      <p className="settings-quiet">{t('settings.tagsText')}</p>
      {error && <Callout tone="bad">{failureText(error)}</Callout>}
      {(['newChat', 'user', 'system'] as const).map((role) => (
        <TagList
          key={role}
          name={`tags.${role}`}
          label={t(`settings.tags.${role}`)}
          tags={settings.tags[role]}
          clashOf={(tags) => {
            const clash = newClash(settings, { ...settings, tags: { ...settings.tags, [role]: tags } });
            return clash && failureText(tagTaken(clash));
          }}
          onChange={(tags) => replace({ tags: { [role]: tags } })}
        />
      ))}
      <Field label={t('settings.tags.assistant')} hint={t('settings.tags.assistantHint')}>
        {() => (
          <ul className="settings-tags">
            {providers.map(({ id, tag, tagTaken }) => (
              <li key={id}>
                #{tag} {tagTaken && <Badge tone="bad">{t('tag.unusable')}</Badge>}
              </li>
            ))}
          </ul>
        )}
      </Field>
    </div>
  );
}

function TagList({
  name,
  label,
  tags,
  clashOf,
  onChange,
}: {
  name: SettingName;
  label: string;
  tags: string[];
  /** Why these cannot be the tags; null: they can. */
  clashOf(tags: string[]): string | null;
  onChange(tags: string[]): Promise<boolean>;
}) {
  const { text, draft, type, leave, save } = useSavedText(
    name,
    tags.join(', '),
    (typed) => {
      const list = readTags(typed);
      return areTags(list) && clashOf(list) === null ? list.join(', ') : null;
    },
    (good) => onChange(readTags(good)),
  );
  return (
    <Field
      label={label}
      hint={t('settings.tagsHint')}
      error={areTags(readTags(text)) ? clashOf(readTags(text)) : t('settings.tagsBad')}
    >
      {(ties) => (
        <>
          <Input {...ties} value={text} onChange={(event) => type(event.target.value)} onBlur={leave} />
          <DraftNote draft={draft} onSave={save} />
        </>
      )}
    </Field>
  );
}

const readTags = (text: string) =>
  text
    .split(/[,\uFF0C、]/)
    .map((tag) => tag.trim().replace(/^#/, ''))
    .filter((tag) => tag !== '');

const areTags = (tags: readonly string[]) => tags.length > 0 && tags.every((tag) => tagName.test(tag));
