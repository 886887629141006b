import { X } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { Notice, NoticeFacts } from '../../contract/app';
import type { VaultState } from '../../contract/vault';
import { useAction, useCoreState } from '../base/core/core';
import { useKnownVault } from '../base/core/open-vault';
import { useWordsOfGoneWindows } from '../base/drafts/unsent-notes';
import { useLayout } from '../base/layout/layout';
import { dismissUnasked, useUnasked } from '../base/layout/unasked';
import { LostVault } from '../base/parts/LostVault';
import { TrustBanner } from '../base/parts/TrustBanner';
import { noteName } from '../base/text/format';
import { t } from '../base/text/text';
import { Button, Callout, IconButton } from '../ui';
import { NoteConsent } from './NoteConsent';
import { noticeDetail, noticeTitle } from './notice-words';
import { UnmadeNotes } from './UnmadeNotes';

type Vault = Extract<VaultState, { kind: 'open' }>;
type Lost = Extract<VaultState, { kind: 'lost' }>;

/** What the person should know or decide, above the tabs and never over them. */
export function Banners({ vault, lost }: { vault: Vault; lost: Lost | null }) {
  return (
    <div className="banners">
      {lost && <LostVault lost={lost} typing />}
      <TrustBanner vault={vault} />
      <SwitchedBanner vault={vault} />
      <ProviderBanner />
      <GoneWindowBanner vault={vault} />
      <UnaskedBanner vault={vault} />
      <Notices />
      <UnmadeNotes vault={vault.path} />
    </div>
  );
}

/** Another window opened it in the place of the vault that was here. */
function SwitchedBanner({ vault: { path, name } }: { vault: Vault }) {
  const { asking, knownPath } = useKnownVault();
  const isKnown = knownPath === null || knownPath === path;
  useEffect(() => {
    if (isKnown) useKnownVault.setState({ knownPath: path });
  }, [isKnown, path]);
  if (isKnown || asking) return null;
  return (
    <Callout
      tone="warn"
      title={t('vault.switched', { name })}
      actions={
        <IconButton
          size="s"
          icon={X}
          label={t('ui.dismiss')}
          onClick={() => useKnownVault.setState({ knownPath: path })}
        />
      }
    >
      {t('vault.switchedText', { path: knownPath })}
    </Callout>
  );
}

/** Words that had reached no file were added to notes which may not be open. */
function GoneWindowBanner({ vault: { path: vault } }: { vault: Vault }) {
  const { vault: of, paths } = useWordsOfGoneWindows();
  const openNote = useLayout((layout) => layout.openNote);
  const dismiss = () => useWordsOfGoneWindows.setState({ paths: [] });
  if (of !== vault || paths.length === 0) return null;
  return (
    <Callout
      title={t('note.ofGoneWindow')}
      actions={<IconButton size="s" icon={X} label={t('ui.dismiss')} onClick={dismiss} />}
    >
      <p>{t('note.ofGoneWindowText')}</p>
      <div className="banner-notes">
        {paths.map((path) => (
          <Button key={path} size="s" onClick={() => openNote(path)}>
            {noteName(path)}
          </Button>
        ))}
      </div>
    </Callout>
  );
}

function UnaskedBanner({ vault: { path: vault } }: { vault: Vault }) {
  const { all } = useUnasked();
  const openNote = useLayout((layout) => layout.openNote);
  const unasked = all.filter((question) => question.vault === vault);
  if (unasked.length === 0) return null;
  return (
    <Callout
      tone="warn"
      title={t('note.unasked')}
      actions={<IconButton size="s" icon={X} label={t('ui.dismiss')} onClick={dismissUnasked} />}
    >
      {[...new Set(unasked.map(({ why }) => why ?? t('note.unaskedText')))].map((why) => (
        <p key={why}>{why}</p>
      ))}
      <div className="banner-notes">
        {unasked.map(({ path }) => (
          <Button key={path} size="s" onClick={() => openNote(path)}>
            {noteName(path)}
          </Button>
        ))}
      </div>
    </Callout>
  );
}

function ProviderBanner() {
  const providers = useCoreState('providers.list', {});
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

const mostNotices = 2;

/** What is asked, the newest of what is told, and how much more there is. */
function Notices() {
  const notices = useCoreState('app.notices', {}) ?? [];
  const [unfolded, setUnfolded] = useState(false);
  const questions = notices.filter(({ facts }) => facts.code === 'note-wants');
  const reports = notices.filter((notice) => !questions.includes(notice));
  const folded = reports.length - mostNotices;
  const visibleNotices = unfolded ? notices : [...questions, ...reports.slice(-mostNotices)];
  return (
    <>
      {folded > 0 && (
        <div className="notices-more">
          <Button size="s" look="quiet" aria-expanded={unfolded} onClick={() => setUnfolded(!unfolded)}>
            {unfolded ? t('notice.fewer') : t('notice.more', { count: folded })}
          </Button>
        </div>
      )}
      <NoticeList notices={visibleNotices} />
    </>
  );
}

/** The place of the recovered text that a notice tells of. */
function recoveredAt(facts: NoticeFacts): string | null {
  const isOfText = facts.code === 'text-kept' || (facts.code === 'damaged' && facts.what === 'journal');
  return isOfText ? facts.keptAs : null;
}

function NoticeList({ notices }: { notices: readonly Notice[] }) {
  const dismiss = useAction('app.dismissNotice');
  const { openServer, show } = useLayout();
  return notices.map(({ id, facts }) =>
    facts.code === 'note-wants' ? (
      <NoteConsent key={id} facts={facts} onDecline={() => dismiss.mutate({ id })} />
    ) : (
      <Callout
        key={id}
        tone={facts.code === 'call-ended' && facts.ok ? 'neutral' : 'warn'}
        title={noticeTitle(facts)}
        actions={
          <>
            {recoveredAt(facts) !== null && (
              <Button size="s" onClick={() => show({ kind: 'recovery', about: recoveredAt(facts) })}>
                {t('notice.showRecovered')}
              </Button>
            )}
            {facts.code === 'server-given-up' && (
              <Button size="s" onClick={() => openServer(facts.serverId, 'overview')}>
                {t('notice.showServer')}
              </Button>
            )}
            <IconButton size="s" icon={X} label={t('ui.dismiss')} onClick={() => dismiss.mutate({ id })} />
          </>
        }
      >
        {noticeDetail(facts)}
      </Callout>
    ),
  );
}
