import { FolderOpen, NotebookText, Sparkles } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import type { VaultState } from '../../../contract/vault';
import { useAction, useAsk, useCoreState } from '../../base/core/core';
import { useOpenVault } from '../../base/core/open-vault';
import { LostVault } from '../../base/parts/LostVault';
import { failureText } from '../../base/text/error-words';
import { t } from '../../base/text/text';
import { Button, Callout, Input, Segments, waitingProps } from '../../ui';
import './vault.css';

export function Welcome({ lost }: { lost: Extract<VaultState, { kind: 'lost' }> | null }) {
  const info = useAsk('app.info', {}, { staleTime: Number.POSITIVE_INFINITY });
  const open = useOpenVault();
  const pick = useAction('app.pickFolder');
  const [path, setPath] = useState('');
  const failure = open.error ?? pick.error;
  const opensSample = open.pending === 'sample';
  const opensFolder = open.isPending && !opensSample;

  const openPath = (event: FormEvent) => {
    event.preventDefault();
    if (path.trim() !== '') open.open(path.trim());
  };
  const choose = () => pick.mutate({}, { onSuccess: (chosen) => chosen !== null && open.open(chosen) });

  return (
    <main className="welcome">
      {open.question}
      <div className="welcome-page">
        <header className="welcome-head">
          <span className="welcome-mark">
            <NotebookText size={26} strokeWidth={1.5} aria-hidden />
          </span>
          <h1>{t('app.name')}</h1>
          <p>{t('welcome.tagline')}</p>
        </header>

        {lost && <LostVault lost={lost} typing={false} />}
        {failure && <Callout tone="bad">{failureText(failure)}</Callout>}

        <div className="welcome-ways">
          <section className="welcome-way">
            <FolderOpen size={20} strokeWidth={1.5} aria-hidden />
            <h2>{t('welcome.open')}</h2>
            <p>{t('welcome.openText')}</p>
            {info.data?.canPickFolder && (
              <Button look="primary" busy={pick.isPending} onClick={choose}>
                {t('welcome.choose')}
              </Button>
            )}
            <form className="welcome-path" onSubmit={openPath}>
              <Input
                mono
                aria-label={t('welcome.path')}
                placeholder={t('welcome.pathPlaceholder')}
                value={path}
                onChange={(event) => setPath(event.target.value)}
              />
              <Button type="submit" busy={opensFolder} disabled={path.trim() === ''}>
                {t('welcome.openPath')}
              </Button>
            </form>
          </section>
          <section className="welcome-way">
            <Sparkles size={20} strokeWidth={1.5} aria-hidden />
            <h2>{t('welcome.sample')}</h2>
            <p>{t('welcome.sampleText')}</p>
            <Button busy={opensSample} onClick={open.openSample}>
              {t('welcome.openSample')}
            </Button>
          </section>
        </div>

        <RecentVaults open={open} />
        <Preferences />
      </div>
    </main>
  );
}

function RecentVaults({ open }: { open: ReturnType<typeof useOpenVault> }) {
  const recent = useAsk('vault.recent', {});
  return (
    <section className="welcome-recent">
      <h2>{t('welcome.recent')}</h2>
      {recent.data?.length === 0 && <p>{t('welcome.noRecent')}</p>}
      <ul>
        {recent.data?.map((vault) => (
          <li key={vault.path}>
            <button type="button" onClick={() => open.open(vault.path)} {...(open.isPending && waitingProps)}>
              <strong>{vault.name}</strong>
              <span>{vault.path}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Preferences() {
  const settings = useCoreState('settings.current', {});
  const change = useAction('settings.change');
  if (!settings) return null;
  return (
    <footer className="welcome-foot">
      <Segments
        aria-label={t('welcome.language')}
        value={settings.language}
        options={[
          { value: 'system', label: t('settings.system') },
          { value: 'en', label: 'English' },
          { value: 'zh', label: '中文' },
        ]}
        onChange={(language) => change.mutate({ changes: { language } })}
      />
      <Segments
        aria-label={t('welcome.theme')}
        value={settings.theme}
        options={[
          { value: 'system', label: t('settings.system') },
          { value: 'light', label: t('settings.light') },
          { value: 'dark', label: t('settings.dark') },
        ]}
        onChange={(theme) => change.mutate({ changes: { theme } })}
      />
    </footer>
  );
}
