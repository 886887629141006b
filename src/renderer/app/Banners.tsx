import { X } from 'lucide-react';
import type { VaultState } from '../../contract/vault';
import { Button, Callout, IconButton } from '../ui';
import { useAction, usePicture } from './core';
import { useLayout } from './layout';
import { noticeDetail, noticeTitle } from './notice-words';
import { TrustBanner } from './TrustBanner';
import { t } from './text';

type Vault = Extract<VaultState, { kind: 'open' }>;

/** What the person should know or decide, above the tabs and never over them. */
export function Banners({ vault }: { vault: Vault }) {
  return (
    <div className="banners">
      <TrustBanner vault={vault} />
      <ProviderBanner />
      <Notices />
    </div>
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

function Notices() {
  const notices = usePicture('app.notices', {}) ?? [];
  const dismiss = useAction('app.dismissNotice');
  const agree = useAction('chat.agreeToNote');
  const openServer = useLayout((layout) => layout.openServer);
  return notices.map(({ id, facts }) => (
    <Callout
      key={id}
      tone={facts.code === 'call-ended' && facts.ok ? 'neutral' : 'warn'}
      title={noticeTitle(facts)}
      actions={
        <>
          {facts.code === 'server-given-up' && (
            <Button size="s" onClick={() => openServer(facts.serverId, 'overview')}>
              {t('notice.showServer')}
            </Button>
          )}
          {facts.code === 'note-allows' && (
            <Button size="s" onClick={() => agree.mutate({ path: facts.note, power: facts.power })}>
              {t('notice.agreeToNote')}
            </Button>
          )}
          <IconButton size="s" icon={X} label={t('ui.dismiss')} onClick={() => dismiss.mutate({ id })} />
        </>
      }
    >
      {noticeDetail(facts)}
    </Callout>
  ));
}
