import { failedWith } from '../../../contract/failed-with';
import { useAsk } from '../../base/core/core';
import { Awaited, LastKnown } from '../../base/parts/NotConnected';
import { failureText } from '../../base/text/error-words';
import { t } from '../../base/text/text';
import { Callout, Field, Input, Segments, Switch, TextArea } from '../../ui';
import { NumberField } from './NumberField';
import { SavedText } from './SavedText';
import { useSettings } from './use-settings';

/** Long, as it is a list of settings. */
export function General() {
  const { settings, change, replace, error } = useSettings();
  const troubles = useAsk('settings.troubles', {}, { staleTime: 0 });
  const refused = failedWith('settings.change', error, 'settings.invalid') ? error.details.issues : [];
  const issues = [...refused, ...(troubles.data ?? [])];
  const folderIssue = issues.find((issue) => issue.startsWith('chat.attachmentsFolder'));
  const caFileIssue = issues.find((issue) => issue.startsWith('network.caFile'));
  if (!settings) return <Awaited />;
  const { chat } = settings;
  return (
    <div className="settings-fields">
      <LastKnown />
      {error && refused.every((issue) => issue !== folderIssue && issue !== caFileIssue) && (
        <Callout tone="bad">{failureText(error)}</Callout>
      )}
      <Field row label={t('settings.theme')}>
        {() => (
          <Segments
            aria-label={t('settings.theme')}
            value={settings.theme}
            options={(['system', 'light', 'dark'] as const).map((value) => ({
              value,
              label: t(`settings.${value}`),
            }))}
            onChange={(theme) => change({ theme })}
          />
        )}
      </Field>
      <Field row label={t('settings.language')}>
        {() => (
          <Segments
            aria-label={t('settings.language')}
            value={settings.language}
            options={[
              { value: 'system', label: t('settings.system') },
              { value: 'en', label: 'English' },
              { value: 'zh', label: '中文' },
            ]}
            onChange={(language) => change({ language })}
          />
        )}
      </Field>
      <NumberField
        name="fontSize"
        label={t('settings.fontSize')}
        hint={t('settings.fontSizeHint')}
        value={settings.fontSize}
        min={10}
        max={32}
        onChange={(fontSize) => replace({ fontSize })}
      />
      <Field row label={t('settings.showReasoning')} hint={t('settings.showReasoningHint')}>
        {({ id }) => (
          <Switch
            id={id}
            checked={chat.showReasoning}
            onChange={(showReasoning) => change({ chat: { showReasoning } })}
          />
        )}
      </Field>
      <Field label={t('settings.systemPrompt')} hint={t('settings.systemPromptHint')}>
        {(ties) => (
          <SavedText
            name="chat.systemPrompt"
            value={chat.systemPrompt}
            onSave={(systemPrompt) => replace({ chat: { systemPrompt } })}
          >
            {(bound) => <TextArea {...ties} {...bound} rows={3} />}
          </SavedText>
        )}
      </Field>
      <Field row label={t('settings.attachments')} error={folderIssue && t('settings.attachmentsOutside')}>
        {(ties) => (
          <SavedText
            name="chat.attachmentsFolder"
            value={chat.attachmentsFolder}
            onSave={(attachmentsFolder) => replace({ chat: { attachmentsFolder } })}
          >
            {(bound) => <Input {...ties} {...bound} className="settings-short" />}
          </SavedText>
        )}
      </Field>
      <NumberField
        name="chat.expandLimit"
        label={t('settings.expandLimit')}
        hint={t('settings.characters')}
        value={chat.expandLimit}
        min={0}
        onChange={(expandLimit) => replace({ chat: { expandLimit } })}
      />
      <Field
        label={t('settings.caFile')}
        hint={t('settings.caFileHint')}
        error={caFileIssue && t('settings.caFileMissing')}
      >
        {(ties) => (
          <SavedText
            name="network.caFile"
            value={settings.network.caFile}
            onSave={(caFile) => replace({ network: { caFile } }).finally(() => void troubles.refetch())}
          >
            {(bound) => <Input {...ties} {...bound} mono placeholder={t('settings.caFileExample')} />}
          </SavedText>
        )}
      </Field>
    </div>
  );
}
