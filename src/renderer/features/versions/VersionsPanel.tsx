import './versions.css';
import { FileClock, History } from 'lucide-react';
import { Fragment, type KeyboardEvent, useEffect, useRef } from 'react';
import type { TimelineEntry, VersionsState } from '../../../contract/versions';
import { useAction, useLatest } from '../../base/core/core';
import { useNow } from '../../base/core/now';
import { useLayout } from '../../base/layout/layout';
import { isKnownGone, useVaultEntries } from '../../base/layout/vault-entries';
import { Awaited, LastKnown } from '../../base/parts/NotConnected';
import { failureText } from '../../base/text/error-words';
import { noteName, shortTime } from '../../base/text/format';
import { t } from '../../base/text/text';
import { Button, Callout, EmptyState, rowAfterKey } from '../../ui';
import { Counts } from './Diff';
import { Forget } from './Forget';
import { authorsName, dayName, dayOf, iconOf, kindOf, whatWords } from './words';

/** How the note came about: by day who changed it, when and how much. A chosen version is shown over the note. */
export function VersionsPanel({ path }: { path: string }) {
  const { item, error } = useLatest('versions.timeline', { path });
  const show = useLayout((layout) => layout.show);
  if (error && !item) {
    return (
      <div className="versions">
        <Callout tone="bad" title={t('versions.unreadable')}>
          {failureText(error)}
        </Callout>
      </div>
    );
  }
  if (!item) return <Awaited />;
  return (
    <div className="versions">
      <LastKnown />
      <StateCallout state={item.state} />
      {item.entries.length === 0 ? (
        <EmptyState icon={FileClock} title={t('versions.empty')} text={t('versions.emptyText')} />
      ) : (
        <TimelineList path={path} entries={item.entries} />
      )}
      {item.more > 0 && <p className="versions-quiet">{t('versions.more', { count: item.more })}</p>}
      <footer className="versions-foot">
        <Button size="s" look="quiet" onClick={() => show({ kind: 'deleted-notes' })}>
          {t('versions.deletedNotes')}
        </Button>
        <Button size="s" look="quiet" onClick={() => show({ kind: 'recovery', about: path })}>
          {t('recovery.title')}
        </Button>
        {item.entries.length > 0 && (
          <Forget
            what={{ kind: 'note', path }}
            label={t('versions.forgetNote')}
            title={t('versions.forgetNoteTitle', { note: noteName(path) })}
          />
        )}
      </footer>
    </div>
  );
}

export function StateCallout({ state }: { state: VersionsState }) {
  const change = useAction('settings.change');
  switch (state.kind) {
    case 'on':
      return null;
    case 'off':
      return (
        <Callout
          title={t('versions.off')}
          actions={
            <>
              <Button
                size="s"
                busy={change.isPending}
                onClick={() => change.mutate({ changes: { versions: { keep: true } } })}
              >
                {t('versions.turnOn')}
              </Button>
              <Forget
                what={{ kind: 'all' }}
                label={t('versions.forgetAll')}
                title={t('versions.forgetAllTitle')}
              />
            </>
          }
        >
          {t('versions.offText')}
        </Callout>
      );
    case 'failing':
      return (
        <Callout tone="warn" title={t('versions.failing')}>
          {state.state === 'full' || state.state === 'read-only' || state.state === 'no-permission'
            ? t(`versions.failing.${state.state}`)
            : t('versions.failing.other', { reason: state.reason })}
        </Callout>
      );
  }
}

function TimelineList({ path, entries }: { path: string; entries: readonly TimelineEntry[] }) {
  const list = useRef<HTMLDivElement>(null);
  const versionId = useLayout(({ version }) => (version?.path === path ? version.id : null));
  const showVersion = useLayout((layout) => layout.showVersion);
  const focusEditor = useLayout(({ editor }) => editor?.focus);
  const now = useNow(60_000);
  const isGone = useVaultEntries(({ entries: files }) => isKnownGone(files, path));
  const texts = entries.filter(({ kind }) => kind === 'text');
  const at = texts.findIndex(({ id }) => id === versionId);
  const choose = (id: string | null) => showVersion(id === null ? null : { path, id });
  // biome-ignore lint/correctness/useExhaustiveDependencies: follows the chosen row.
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [versionId]);

  const pressed = (event: KeyboardEvent) => {
    // The note as it is stands above its versions.
    const row = rowAfterKey(event.key, at + 1, texts.length + 1);
    if (row !== null) choose(texts[row - 1]?.id ?? null);
    else if (event.key === 'Enter' && versionId) document.getElementById('version-view')?.focus();
    else if (event.key === 'Escape') {
      if (versionId) choose(null);
      else focusEditor?.();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    <div
      className="versions-list"
      ref={list}
      role="listbox"
      tabIndex={0}
      id="versions-list"
      aria-label={t('versions.list')}
      aria-activedescendant={`version-${versionId ?? 'now'}`}
      onKeyDown={pressed}
    >
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the keys are handled by the list. */}
      <div
        id="version-now"
        role="option"
        tabIndex={-1}
        aria-selected={versionId === null}
        className="versions-row"
        onClick={() => choose(null)}
      >
        <span className="versions-icon" data-by="now">
          <History size={14} strokeWidth={1.75} aria-hidden />
        </span>
        <span className="versions-text">
          <span>{t('versions.now')}</span>
          <small>{t(isGone ? 'versions.nowGone' : 'versions.nowText')}</small>
        </span>
      </div>
      {entries.map((entry, index) => {
        const before = entries[index - 1];
        const isFirst = !before || dayOf(before.at) !== dayOf(entry.at);
        return (
          <Fragment key={entry.id}>
            {isFirst && (
              <div className="versions-day" role="presentation">
                {dayName(entry.at, now)}
              </div>
            )}
            <Row entry={entry} isShown={entry.id === versionId} onChoose={() => choose(entry.id)} />
          </Fragment>
        );
      })}
    </div>
  );
}

function Row({ entry, isShown, onChoose }: { entry: TimelineEntry; isShown: boolean; onChoose(): void }) {
  const Icon = iconOf(entry);
  const isText = entry.kind === 'text';
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are handled by the list.
    <div
      id={`version-${entry.id}`}
      role="option"
      tabIndex={-1}
      aria-selected={isShown}
      aria-disabled={!isText || undefined}
      className="versions-row"
      onClick={isText ? onChoose : undefined}
    >
      <span className="versions-icon" data-by={kindOf(entry)}>
        <Icon size={14} strokeWidth={1.75} aria-hidden />
      </span>
      <span className="versions-text">
        <span>{authorsName(entry.by)}</span>
        <small>
          {shortTime(entry.at)} · {whatWords(entry)}
        </small>
      </span>
      {isText && <Counts added={entry.added} removed={entry.removed} />}
    </div>
  );
}
