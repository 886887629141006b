import './versions.css';
import { CircleCheck, Copy, FileCheck2, Undo2, X } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { VersionDiff } from '../../../contract/versions';
import { useAction, useAsk, useLatest } from '../../base/core/core';
import { useNow } from '../../base/core/now';
import { useWhyNot } from '../../base/core/why-not';
import { useLayout } from '../../base/layout/layout';
import { Awaited } from '../../base/parts/NotConnected';
import { failureText } from '../../base/text/error-words';
import { labelled } from '../../base/text/format';
import { t } from '../../base/text/text';
import { Button, Callout, EmptyState, IconButton, Segments } from '../../ui';
import { Diff, hunkName } from './Diff';
import { authorsName, whatWords, whenWords } from './words';

type Aspect = 'now' | 'changes' | 'text';

/** One version over the note: what restoring it would change, what was new in it, and its text. */
export function VersionView({ path, id }: { path: string; id: string }) {
  const [aspect, setAspect] = useState<Aspect>('now');
  const { item } = useLatest('versions.timeline', { path });
  const close = useLayout((layout) => layout.showVersion);
  const entry = item?.entries.find((one) => one.id === id);
  const now = useNow(60_000);
  const newest = item?.entries[0]?.id ?? '';
  const leave = () => {
    close(null);
    document.getElementById('versions-list')?.focus();
  };

  return (
    <section
      className="version"
      id="version-view"
      tabIndex={-1}
      aria-label={t('versions.version', { when: entry ? whenWords(entry.at, now) : '' })}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.defaultPrevented) return;
        event.stopPropagation();
        leave();
      }}
    >
      <header className="version-head">
        <div className="version-title">
          <h2>{t('versions.version', { when: entry ? whenWords(entry.at, now) : '…' })}</h2>
          {entry && (
            <p>
              {authorsName(entry.by)} · {whatWords(entry)}
            </p>
          )}
        </div>
        <Segments
          aria-label={t('versions.view')}
          value={aspect}
          options={(['now', 'changes', 'text'] as const).map((value) => ({
            value,
            label: t(`versions.view.${value}`),
          }))}
          onChange={setAspect}
        />
        <IconButton icon={X} label={t('ui.close')} keys={['Esc']} onClick={leave} />
      </header>
      {aspect === 'now' && <AgainstNow path={path} id={id} newest={newest} />}
      {aspect === 'changes' && <Changes path={path} id={id} />}
      {aspect === 'text' && <WholeText path={path} id={id} />}
    </section>
  );
}

const fresh = { staleTime: 0, gcTime: 0 };

/** `newest`: the note's last version; where that is another one, so are the differences. */
function AgainstNow({ path, id, newest }: { path: string; id: string; newest: string }) {
  const preview = useAsk('versions.preview', { path, id }, fresh);
  const whyNot = useWhyNot();
  const restore = useAction('versions.restore', { once: true });
  const saved = restore.data?.saved;
  const diff = preview.data;
  const { refetch } = preview;
  // biome-ignore lint/correctness/useExhaustiveDependencies: `newest` says that the note has changed.
  useEffect(() => void refetch(), [refetch, newest]);
  const bring = (hunks: number[] | null) => {
    if (!diff) return;
    // The button may soon be gone, or of no use; the keys stay here.
    document.getElementById('version-view')?.focus();
    restore.mutate({ path, id, basis: diff.basis, hunks }, { onSettled: () => void refetch() });
  };
  const canRestore = diff && (diff.hunks.length > 0 || diff.endsOnly);
  return (
    <>
      <div className="version-body">
        {restore.error && <Callout tone="bad">{failureText(restore.error)}</Callout>}
        {saved !== undefined && !restore.error && (
          <Callout tone={saved ? 'good' : 'warn'}>
            {t(saved ? 'versions.restored' : 'versions.restoredUnsaved')}
          </Callout>
        )}
        {preview.error && (
          <Callout tone="bad" title={t('versions.failed')}>
            {failureText(preview.error)}
          </Callout>
        )}
        {!diff && !preview.error && <Awaited />}
        {diff && !canRestore && (
          <EmptyState icon={FileCheck2} title={t('versions.same')} text={t('versions.sameText')} />
        )}
        {diff?.endsOnly && (
          <EmptyState icon={CircleCheck} title={t('versions.endsOnly')} text={t('versions.endsOnlyText')} />
        )}
        {diff && diff.hunks.length > 0 && (
          <Diff
            hunks={diff.hunks}
            label={t('versions.view.now')}
            action={(at) => (
              <Button
                size="s"
                look="quiet"
                waiting={restore.isPending}
                disabled={whyNot !== undefined}
                title={whyNot}
                aria-label={labelled(t('versions.restoreHunk'), nameAt(diff, at))}
                onClick={() => bring([at])}
              >
                <Undo2 size={13} aria-hidden />
                {t('versions.restoreHunk')}
              </Button>
            )}
          />
        )}
      </div>
      <footer className="version-foot">
        <p>{canRestore ? t('versions.legend') : ''}</p>
        <CopyText path={path} id={id} />
        <Button
          look="primary"
          busy={restore.isPending}
          disabled={!canRestore || whyNot !== undefined}
          title={whyNot}
          onClick={() => bring(null)}
        >
          {t('versions.restore')}
        </Button>
      </footer>
    </>
  );
}

function nameAt({ hunks }: VersionDiff, at: number): string {
  const hunk = hunks[at];
  return hunk ? hunkName(hunk) : '';
}

function CopyText({ path, id }: { path: string; id: string }) {
  const reading = useAction('versions.read');
  return (
    <Button
      look="quiet"
      busy={reading.isPending}
      onClick={() =>
        reading.mutate({ path, id }, { onSuccess: ({ text }) => void navigator.clipboard.writeText(text) })
      }
    >
      <Copy size={14} aria-hidden />
      {t('versions.copy')}
    </Button>
  );
}

function Changes({ path, id }: { path: string; id: string }) {
  const { data, error } = useAsk('versions.changes', { path, id });
  return (
    <div className="version-body">
      {error && (
        <Callout tone="bad" title={t('versions.failed')}>
          {failureText(error)}
        </Callout>
      )}
      {!data && !error && <Awaited />}
      {data?.hunks.length === 0 && <EmptyState icon={FileCheck2} title={t('versions.noChange')} />}
      {data && data.hunks.length > 0 && <Diff hunks={data.hunks} label={t('versions.view.changes')} />}
    </div>
  );
}

function WholeText({ path, id }: { path: string; id: string }) {
  const { data, error } = useAsk('versions.read', { path, id });
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keys.
    <div className="version-body" tabIndex={0}>
      {error && (
        <Callout tone="bad" title={t('versions.failed')}>
          {failureText(error)}
        </Callout>
      )}
      {!data && !error && <Awaited />}
      {data && <pre className="version-text">{data.text}</pre>}
    </div>
  );
}
