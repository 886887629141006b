import type { Vendor } from '../../../contract/providers';
import { t } from '../../base/text/text';
import { Field, Input, Select, Switch, TextArea } from '../../ui';
import { ProviderAddress } from './ProviderAddress';
import { badNumber, type ProviderDraft, parametersOf, searchesWeb } from './provider-draft';

const unset = '-';
const efforts = ['none', 'low', 'medium', 'high'] as const;

export interface ProviderDetailsProps {
  vendor: Vendor;
  draft: ProviderDraft;
  onChange(changes: Partial<ProviderDraft>): void;
}

/** What few people need; closed unless something of it is set. Long, as it is a list of fields. */
export function ProviderDetails({ vendor, draft, onChange }: ProviderDetailsProps) {
  const searches = searchesWeb(vendor, draft);
  const used = [
    vendor.address === 'known' ? draft.baseUrl : '',
    draft.format,
    draft.contextSize,
    draft.temperature,
    draft.maxTokens,
    draft.reasoningEffort,
    draft.parameters,
    draft.webSearch ? 'on' : '',
    draft.stream ? '' : 'off',
  ];
  return (
    <details className="settings-more" open={used.some((value) => value !== '')}>
      <summary>{t('providers.advanced')}</summary>
      <div className="settings-fields">
        {vendor.address === 'known' && (
          <ProviderAddress
            vendor={vendor}
            value={draft.baseUrl}
            onChange={(baseUrl) => onChange({ baseUrl })}
          />
        )}
        {vendor.formats.length > 1 && (
          <Field row label={t('providers.format')}>
            {(ties) => (
              <Select
                {...ties}
                value={draft.format || (vendor.formats[0] ?? '')}
                options={vendor.formats.map((format) => ({
                  value: format,
                  label: t(`providers.format.${format}`),
                }))}
                onChange={(format) => onChange({ format })}
              />
            )}
          </Field>
        )}
        {vendor.id.startsWith('azure') && (
          <Field row label={t('providers.apiVersion')}>
            {(ties) => (
              <Input
                {...ties}
                mono
                className="settings-short"
                value={draft.apiVersion}
                onChange={(event) => onChange({ apiVersion: event.target.value })}
              />
            )}
          </Field>
        )}
        <Field row label={t('providers.effort')}>
          {(ties) => (
            <Select
              {...ties}
              value={draft.reasoningEffort || unset}
              options={[
                { value: unset, label: t('providers.effort.unset') },
                ...efforts.map((effort) => ({ value: effort, label: t(`providers.effort.${effort}`) })),
              ]}
              onChange={(effort) => onChange({ reasoningEffort: effort === unset ? '' : effort })}
            />
          )}
        </Field>
        {vendor.webSearch && (
          <Field
            row
            label={t('providers.webSearch')}
            hint={t(searches ? 'providers.webSearchHint' : 'providers.webSearchNot')}
          >
            {({ id }) => (
              <Switch
                id={id}
                disabled={!searches}
                checked={draft.webSearch && searches}
                onChange={(webSearch) => onChange({ webSearch })}
              />
            )}
          </Field>
        )}
        {vendor.id !== 'demo' && (
          <Field row label={t('providers.stream')} hint={t('providers.streamHint')}>
            {({ id }) => (
              <Switch id={id} checked={draft.stream} onChange={(stream) => onChange({ stream })} />
            )}
          </Field>
        )}
        {(vendor.id === 'ollama'
          ? (['contextSize', 'temperature', 'maxTokens'] as const)
          : (['temperature', 'maxTokens'] as const)
        ).map((name) => (
          <Field
            key={name}
            row
            label={t(`providers.${name}`)}
            hint={name === 'contextSize' && t('providers.contextSizeHint')}
            error={badNumber(name, draft[name])}
          >
            {(ties) => (
              <Input
                {...ties}
                className="settings-number"
                inputMode="decimal"
                placeholder={t('servers.default')}
                value={draft[name]}
                onChange={(event) => onChange({ [name]: event.target.value })}
              />
            )}
          </Field>
        ))}
        <Field
          label={t('providers.parameters')}
          hint={t('providers.parametersHint')}
          error={parametersOf(draft.parameters) === null ? t('providers.badParameters') : null}
        >
          {(ties) => (
            <TextArea
              {...ties}
              mono
              rows={3}
              value={draft.parameters}
              placeholder={'{ "top_p": 0.9 }'}
              onChange={(event) => onChange({ parameters: event.target.value })}
            />
          )}
        </Field>
      </div>
    </details>
  );
}
