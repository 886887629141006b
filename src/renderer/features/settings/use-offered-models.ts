import type { ProviderProblem } from '../../../contract/provider-findings';
import type { ProviderCheck, ProviderEntry, Vendor } from '../../../contract/providers';
import { useAsk } from '../../base/core/core';
import type { ProviderDraft } from './provider-draft';

export interface OfferedModels {
  readonly names: readonly string[];
  /** The provider itself said so. */
  readonly isListed: boolean;
  /** The provider was asked, and answered. */
  readonly isKnown: boolean;
  /** Why it could not be asked. */
  readonly unreached: ProviderProblem | null;
  refetch(): unknown;
}

/** The models that can be chosen: as the check has found, as the provider lists, or as its vendor is known to have. */
export function useOfferedModels(
  vendor: Vendor,
  provider: ProviderEntry | null,
  draft: ProviderDraft,
  check: ProviderCheck | undefined,
): OfferedModels {
  const address = draft.baseUrl.trim();
  const hasAddress = vendor.address !== 'own' || address !== '';
  const listable = !vendor.needsKey || (provider?.key ?? 'missing') !== 'missing';
  const listed = useAsk(
    'providers.models',
    {
      provider: {
        vendor: draft.vendor,
        tag: 'List',
        model: '-',
        ...(address !== '' && { baseUrl: address }),
        ...(provider && { id: provider.id }),
      },
    },
    { enabled: listable && hasAddress && draft.vendor !== 'demo', staleTime: 60_000 },
  );
  const names = check?.kind === 'ok' ? check.models : (listed.data?.models ?? vendor.models);
  return {
    names,
    isListed: names.length > 0 && (check?.kind === 'ok' || (listed.data?.listedAt ?? null) !== null),
    isKnown: Boolean(check || listed.data),
    unreached: check === undefined ? (listed.data?.problem ?? null) : null,
    refetch: listed.refetch,
  };
}
