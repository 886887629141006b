import type { ProviderCheck, ProviderEntry, Vendor } from '../../../contract/providers';
import { problemText } from '../../base/text/finding-words';
import { t } from '../../base/text/text';
import { Button, Callout, Field, Input } from '../../ui';
import { CheckResult } from './CheckResult';
import { PullModel } from './PullModel';
import { configOf, isEmbedding, type ProviderDraft } from './provider-draft';
import { useOfferedModels } from './use-offered-models';

export interface ProviderModelProps {
  vendor: Vendor;
  provider: ProviderEntry | null;
  draft: ProviderDraft;
  error: string | null;
  check: { readonly data: ProviderCheck | undefined; readonly error: unknown; readonly isPending: boolean };
  /** Left out: what is filled in cannot be checked. */
  onCheck: (() => void) | undefined;
  onChange(model: string): void;
}

/** Which model, and whether the provider has it: asked, and fetched where it can be. */
export function ProviderModel({
  vendor,
  provider,
  draft,
  error,
  check,
  onCheck,
  onChange,
}: ProviderModelProps) {
  const offered = useOfferedModels(vendor, provider, draft, check.data);
  const model = draft.model.trim();
  const pulls = vendor.id === 'ollama' && (draft.format || 'ollama-chat') === 'ollama-chat';
  const embeds = isEmbedding(vendor, draft);
  const lacks = model !== '' && !offered.names.includes(model) && check.data?.kind !== 'failed';
  const pullable = pulls && lacks && !embeds;
  return (
    <>
      <Field
        label={t('providers.model')}
        hint={t(offered.isListed ? 'providers.modelListed' : 'providers.modelHint')}
        error={error}
      >
        {(ties) => (
          <div className="settings-line">
            <Input
              {...ties}
              mono
              list="provider-models"
              value={draft.model}
              onChange={(event) => onChange(event.target.value)}
            />
            <datalist id="provider-models">
              {offered.names.map((name) => (
                <option key={name} value={name} />
              ))}
            </datalist>
            <Button busy={check.isPending} disabled={!onCheck} onClick={onCheck}>
              {t('providers.check')}
            </Button>
          </div>
        )}
      </Field>
      <CheckResult result={check.data} error={check.error} model={embeds ? '' : model} pulls={pulls} />
      {embeds && <Callout tone="warn">{t('providers.isEmbedding', { model })}</Callout>}
      {pullable && offered.unreached !== null && (
        <Callout tone="warn" title={t('providers.unreached')}>
          {problemText(offered.unreached)}
        </Callout>
      )}
      {pullable && offered.unreached === null && offered.isKnown && (
        <PullModel
          key={model}
          provider={configOf({ ...draft, tag: draft.tag.trim() || 'Ollama' }, provider)}
          model={model}
          onDone={() => void offered.refetch()}
        />
      )}
    </>
  );
}
