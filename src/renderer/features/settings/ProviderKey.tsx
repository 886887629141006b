import type { ProviderEntry, Vendor } from '../../../contract/providers';
import { useLayout } from '../../base/layout/layout';
import { t } from '../../base/text/text';
import { Button, Field, Input } from '../../ui';

export interface ProviderKeyProps {
  vendor: Vendor;
  provider: ProviderEntry | null;
  value: string;
  /** The stored key goes away by saving. */
  forgets: boolean;
  onChange(value: string): void;
  onForgets(forgets: boolean): void;
}

export function ProviderKey({ vendor, provider, value, forgets, onChange, onForgets }: ProviderKeyProps) {
  const askToOpen = useLayout((layout) => layout.askToOpen);
  const hasKey = provider?.key === 'stored' || provider?.key === 'environment';
  return (
    <Field
      label={t(vendor.needsKey ? 'providers.key' : 'providers.keyOptional')}
      hint={
        forgets
          ? t('providers.keyRemoved')
          : hasKey
            ? t(provider.key === 'environment' ? 'providers.keyOfEnvironment' : 'providers.keyKept')
            : vendor.keyVariables.length > 0 &&
              t('providers.keyHint', { variables: vendor.keyVariables.join(', ') })
      }
    >
      {(ties) => (
        <div className="settings-line">
          <Input
            {...ties}
            mono
            type="password"
            autoComplete="off"
            value={value}
            onChange={(event) => onChange(event.target.value)}
          />
          {provider?.key === 'stored' && (
            <Button onClick={() => onForgets(!forgets)}>
              {t(forgets ? 'providers.keyKeep' : 'providers.keyRemove')}
            </Button>
          )}
          {vendor.keyPage && (
            <Button onClick={() => vendor.keyPage && askToOpen(vendor.keyPage)}>
              {t('providers.keyPage')}
            </Button>
          )}
        </div>
      )}
    </Field>
  );
}
