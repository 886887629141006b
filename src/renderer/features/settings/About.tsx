import { useQuery } from '@tanstack/react-query';
import { ChevronRight } from 'lucide-react';
import { useState } from 'react';
import { useConnected } from '../../base/core/connected';
import { useAsk } from '../../base/core/core';
import { Awaited } from '../../base/parts/NotConnected';
import { listed } from '../../base/text/format';
import { t } from '../../base/text/text';
import { Badge, Callout, SearchField } from '../../ui';
import { fetchNotices, type ThirdPartyNotice } from './third-party-notices';

export function About() {
  const info = useAsk('app.info', {}, { staleTime: Number.POSITIVE_INFINITY });
  const enabled = useConnected();
  const notices = useQuery({
    queryKey: ['third-party-notices'],
    queryFn: fetchNotices,
    enabled,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <div className="settings-fields">
      {info.data && (
        <p className="settings-quiet">
          {t('settings.aboutText', {
            version: info.data.version,
            host: listed([
              t(info.data.kind === 'electron' ? 'settings.hostElectron' : 'settings.hostBrowser'),
              info.data.platform,
            ]),
          })}
        </p>
      )}
      <section className="settings-notices" aria-labelledby="third-party">
        <h4 id="third-party">{t('settings.thirdParty')}</h4>
        {notices.data === undefined && <Awaited />}
        {notices.data === null && <Callout tone="warn">{t('settings.noNotices')}</Callout>}
        {notices.data && <Notices notices={notices.data} />}
      </section>
    </div>
  );
}

function Notices({ notices }: { notices: readonly ThirdPartyNotice[] }) {
  const [query, setQuery] = useState('');
  const words = query.trim().toLowerCase();
  const matches = notices.filter(({ name, license }) => `${name} ${license}`.toLowerCase().includes(words));
  return (
    <>
      <p className="settings-quiet">{t('settings.thirdPartyText', { count: notices.length })}</p>
      <SearchField
        label={t('settings.thirdPartyFind')}
        value={query}
        onChange={(event) => setQuery(event.target.value)}
      />
      {matches.length === 0 && <p className="settings-quiet">{t('settings.thirdPartyNone')}</p>}
      {matches.map(({ name, version, license, text }) => (
        <details key={`${name}@${version}`} className="settings-notice">
          <summary>
            <ChevronRight size={14} strokeWidth={1.75} aria-hidden />
            <span>{name}</span>
            <small>{version}</small>
            <Badge>{license}</Badge>
          </summary>
          <pre>{text}</pre>
        </details>
      ))}
    </>
  );
}
