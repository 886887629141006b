import { type FormEvent, useState, useSyncExternalStore } from 'react';
import { t } from '../base/text/text';
import { Button, CopyButton, Input } from '../ui';
import type { PageConnection } from './connect';

/** For a browser that was not invited: what to do about it. */
export function Entry({ connection }: { connection: PageConnection }) {
  return (
    <main className="waiting">
      <section className="entry" aria-labelledby="entry-title">
        <h1 id="entry-title">{t('entry.title')}</h1>
        <p>{t('entry.text')}</p>
        <p className="entry-command">
          <code>{t('entry.command')}</code>
          <CopyButton text={t('entry.command')} />
        </p>
        <InvitationForm connection={connection} />
      </section>
    </main>
  );
}

export function InvitationForm({ connection }: { connection: PageConnection }) {
  const [text, setText] = useState('');
  const [tried, setTried] = useState<string | null>(null);
  const { kind } = useSyncExternalStore(connection.state.onChange, connection.state.get);
  const enter = (event: FormEvent) => {
    event.preventDefault();
    setTried(text);
    connection.enterWith(text);
  };
  return (
    <form className="entry-form" onSubmit={enter}>
      <Input
        value={text}
        onChange={(event) => setText(event.target.value)}
        aria-label={t('entry.label')}
        placeholder={t('entry.label')}
        autoComplete="off"
        spellCheck={false}
      />
      <Button type="submit" look="primary" disabled={text.trim() === ''}>
        {t('entry.enter')}
      </Button>
      {kind === 'refused' && tried === text && <p role="alert">{t('entry.spent')}</p>}
    </form>
  );
}
