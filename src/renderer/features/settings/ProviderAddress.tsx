import type { Vendor } from '../../../contract/providers';
import { t } from '../../base/text/text';
import { Field, Input } from '../../ui';

export interface ProviderAddressProps {
  vendor: Vendor;
  value: string;
  error?: string | null;
  onChange(value: string): void;
}

export function ProviderAddress({ vendor, value, error = null, onChange }: ProviderAddressProps) {
  const [standard] = vendor.baseUrls;
  const hint = vendor.address === 'own' ? 'providers.addressLike' : 'providers.addressDefault';
  return (
    <Field label={t('providers.address')} hint={standard && t(hint, { address: standard.url })} error={error}>
      {(ties) => (
        <>
          <Input
            {...ties}
            mono
            list="provider-addresses"
            value={value}
            onChange={(event) => onChange(event.target.value)}
          />
          <datalist id="provider-addresses">
            {vendor.baseUrls.map(({ label, url }) => (
              <option key={url} value={url} label={label} />
            ))}
          </datalist>
        </>
      )}
    </Field>
  );
}
