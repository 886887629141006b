import { X } from 'lucide-react';
import { useState } from 'react';
import type { VaultState } from '../../contract/vault';
import { Button, Callout, IconButton } from '../ui';
import { useAction, usePicture } from './core';
import { failureText } from './failure';
import { useLayout } from './layout';
import { t } from './text';
import { visible } from './visible';

type Vault = Extract<VaultState, { kind: 'open' }>;

/** What the person should know or decide, above the tabs and never over them. */
export function Banners({ vault }: { vault: Vault }) {
  return (
    <div className="banners">
      <TrustBanner key={vault.path} vault={vault} />
      <ProviderBanner />
      <Notices />
    </div>
  );
}

function TrustBanner({ vault }: { vault: Vault }) {
  const [later, setLater] = useState(false);
  const trust = useAction('vault.trust');
  if (vault.trusted || vault.brings.length === 0 || later) return null;
  return (
    <Callout
      tone="warn"
      title={t('trust.title')}
      actions={
        <>
          <Button size="s" onClick={() => setLater(true)}>
            {t('trust.no')}
          </Button>
          <Button
            size="s"
            look="primary"
            busy={trust.isPending}
            onClick={() => trust.mutate({ trusted: true })}
          >
            {t('trust.yes')}
          </Button>
        </>
      }
    >
      {t('trust.text')}
      <ul className="brings">
        {vault.brings.map((line) => (
          <li key={line}>{visible(line)}</li>
        ))}
      </ul>
      {trust.error && <p className="failure">{failureText(trust.error)}</p>}
    </Callout>
  );
}

function ProviderBanner() {
  const providers = usePicture('providers.list', {});
  const show = useLayout((layout) => layout.show);
  if (providers?.length !== 0) return null;
  return (
    <Callout
      tone="accent"
      title={t('provider.none')}
      actions={
        <Button size="s" look="primary" onClick={() => show({ kind: 'settings', section: 'providers' })}>
          {t('provider.add')}
        </Button>
      }
    >
      {t('provider.noneText')}
    </Callout>
  );
}

const tones = { info: 'neutral', warning: 'warn', error: 'bad' } as const;

function Notices() {
  const notices = usePicture('app.notices', {}) ?? [];
  const dismiss = useAction('app.dismissNotice');
  return notices.map((notice) => (
    <Callout
      key={notice.id}
      tone={tones[notice.level]}
      title={notice.title}
      actions={
        <IconButton
          size="s"
          icon={X}
          label={t('ui.dismiss')}
          onClick={() => dismiss.mutate({ id: notice.id })}
        />
      }
    >
      {notice.detail}
    </Callout>
  ));
}
