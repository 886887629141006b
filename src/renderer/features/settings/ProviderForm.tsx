import type { ProviderEntry, Vendor } from '../../../contract/providers';
import { DraftCancel, DraftNote } from '../../base/drafts/DraftNote';
import { failureText } from '../../base/text/error-words';
import { t } from '../../base/text/text';
import { Button, Callout, Field, Input, Select } from '../../ui';
import { ProviderAddress } from './ProviderAddress';
import { ProviderDetails } from './ProviderDetails';
import { ProviderKey } from './ProviderKey';
import { ProviderModel } from './ProviderModel';
import { isEmbedding, withVendor } from './provider-draft';
import { isRefused, useProviderForm } from './use-provider-form';

const labels = () => ({
  vendor: t('providers.vendor'),
  model: t('providers.model'),
  tag: t('providers.tag'),
  contextSize: t('providers.contextSize'),
  temperature: t('providers.temperature'),
  maxTokens: t('providers.maxTokens'),
  format: t('providers.format'),
  apiVersion: t('providers.apiVersion'),
  reasoningEffort: t('providers.effort'),
  webSearch: t('providers.webSearch'),
  stream: t('providers.stream'),
  parameters: t('providers.parameters'),
});

/** One list of fields from top to bottom. */
export function ProviderForm({
  id,
  provider: last,
  removed,
  onDone,
}: {
  id: string;
  provider: ProviderEntry | null;
  removed: boolean;
  onDone(): void;
}) {
  const provider = removed ? null : last;
  const providerForm = useProviderForm({ id, provider, removed, onDone });
  const { form, draft, put, vendors, vendor, save, check, faults, badTag, stillTaken } = providerForm;
  const { checkable, ready, tried, checked, forgets, setRemovesKey, submit, saveMine } = providerForm;

  return (
    <form className="settings-fields" onSubmit={submit}>
      <DraftNote
        draft={form}
        savesBelow
        removed={removed}
        labels={labels()}
        onSave={ready ? saveMine : undefined}
      />
      <VendorField
        vendors={vendors.data ?? []}
        value={draft.vendor}
        error={tried && !vendor ? t('providers.needed') : null}
        onChange={(chosen) => put(withVendor(draft, chosen, providerForm.otherTags))}
      />
      {vendor && (
        <>
          {vendor.id !== 'demo' && (
            <ProviderKey
              {...{ vendor, provider, forgets }}
              value={draft.key}
              onChange={(key) => put({ key })}
              onForgets={setRemovesKey}
            />
          )}
          {vendor.address !== 'known' && (
            <ProviderAddress
              vendor={vendor}
              value={draft.baseUrl}
              error={tried && faults.baseUrl ? t('providers.needed') : null}
              onChange={(baseUrl) => put({ baseUrl })}
            />
          )}
          <ProviderModel
            {...{ vendor, provider, draft, check }}
            error={tried && faults.model ? t('providers.needed') : null}
            onCheck={checkable ? () => check.mutate(checked()) : undefined}
            onChange={(model) => form.set({ model })}
          />
          <Field
            label={t('providers.tag')}
            hint={!stillTaken && t('providers.tagHint', { tag: draft.tag || '…' })}
            error={badTag ?? (stillTaken && t(`providers.tag.${stillTaken}`))}
          >
            {(ties) => (
              <Input {...ties} value={draft.tag} onChange={(event) => put({ tag: event.target.value })} />
            )}
          </Field>
          <ProviderDetails vendor={vendor} draft={draft} onChange={put} />
        </>
      )}
      {save.error && <Callout tone="bad">{failureText(save.error)}</Callout>}
      <div className="settings-actions">
        <DraftCancel draft={form} onLeave={onDone} />
        <Button
          type="submit"
          look="primary"
          busy={save.isPending || (tried && check.isPending)}
          disabled={!vendor}
        >
          {t(
            isRefused(check.data) || isEmbedding(vendor, draft)
              ? 'providers.saveAnyway'
              : removed
                ? 'draft.saveAsNew'
                : 'ui.save',
          )}
        </Button>
      </div>
    </form>
  );
}

interface VendorFieldProps {
  vendors: readonly Vendor[];
  value: string;
  error: string | null;
  onChange(vendor: Vendor): void;
}

function VendorField({ vendors, value, error, onChange }: VendorFieldProps) {
  return (
    <Field label={t('providers.vendor')} error={error}>
      {(ties) => (
        <Select
          {...ties}
          value={value}
          placeholder={t('providers.vendorChoose')}
          options={vendors.map(({ id, label }) => ({ value: id, label }))}
          onChange={(id) => {
            const chosen = vendors.find((one) => one.id === id);
            if (chosen) onChange(chosen);
          }}
        />
      )}
    </Field>
  );
}
