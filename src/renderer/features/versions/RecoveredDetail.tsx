import { CircleCheck, FileQuestion, Undo2 } from 'lucide-react';
import { type ReactNode, useEffect } from 'react';
import type { RecoveredText, RecoveryPart } from '../../../contract/recovery';
import { useAction, useAsk } from '../../base/core/core';
import { useNow } from '../../base/core/now';
import { Awaited } from '../../base/parts/NotConnected';
import { failureText } from '../../base/text/error-words';
import { ago, dayAndTime, labelled } from '../../base/text/format';
import { t } from '../../base/text/text';
import { visible } from '../../base/text/visible';
import { Button, Callout, EmptyState, Segments } from '../../ui';
import { Diff, hunkName } from './Diff';
import { nowWords, partName, type RecoveryView, targetOf } from './recovery-words';

const fresh = { staleTime: 0, gcTime: 0 };

export interface RecoveredDetailProps {
  text: RecoveredText;
  part: RecoveryPart | null;
  view: RecoveryView;
  /** Where what was done with it has led to, above what it says. */
  outcome?: ReactNode;
  onPart(part: RecoveryPart): void;
  onView(view: RecoveryView): void;
}

/** One recovered text: what it is, what it says, and how it differs from its note. */
export function RecoveredDetail({ text, part, view, outcome, onPart, onView }: RecoveredDetailProps) {
  const target = targetOf(text, part);
  return (
    <section className="recovery-detail" aria-label={visible(text.name)}>
      <Head text={text} />
      <div className="recovery-bar">
        {text.parts.length > 1 && part && (
          <Segments
            aria-label={t('recovery.part')}
            value={part}
            options={text.parts.map((one) => ({ value: one.part, label: partName(text, one.part) }))}
            onChange={onPart}
          />
        )}
        {target !== null && (
          <Segments
            aria-label={t('recovery.view')}
            value={view}
            options={(['text', 'compare'] as const).map((value) => ({
              value,
              label: t(`recovery.view.${value}`),
            }))}
            onChange={onView}
          />
        )}
      </div>
      {outcome}
      {part === null ? (
        <EmptyState
          icon={FileQuestion}
          title={t('recovery.empty')}
          text={t('recovery.emptyText', { path: visible(text.place) })}
        />
      ) : view === 'compare' && target !== null ? (
        <Comparison text={text} part={part} path={target} />
      ) : (
        <Content text={text} part={part} />
      )}
    </section>
  );
}

function Head({ text }: { text: RecoveredText }) {
  const now = useNow(30_000);
  const { name, reason, at, restored } = text;
  return (
    <header className="recovery-head">
      <div className="recovery-title">
        <h3>{text.note === null && name === 'Unknown note' ? t('recovery.unknownNote') : visible(name)}</h3>
        <time>{dayAndTime(at)}</time>
      </div>
      <p>{t(`recovery.why.${reason}`)}</p>
      <p className="versions-soft">
        {visible(nowWords(text))}
        {restored &&
          ` ${t('recovery.restored', { path: visible(restored.path), ago: ago(restored.at, now) })}`}
      </p>
    </header>
  );
}

function Content({ text, part }: { text: RecoveredText; part: RecoveryPart }) {
  const { data, error } = useAsk('recovery.read', { id: text.id, part });
  return (
    <>
      {part === 'after' && <p className="versions-quiet">{t('recovery.afterText')}</p>}
      {data?.cut && <p className="versions-quiet">{t('recovery.cut', { path: visible(text.place) })}</p>}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keys. */}
      <div className="deleted-text" tabIndex={0}>
        {error ? (
          <Callout tone="bad">{failureText(error)}</Callout>
        ) : data ? (
          <pre>{data.text}</pre>
        ) : (
          <Awaited />
        )}
      </div>
    </>
  );
}

function Comparison({ text, part, path }: { text: RecoveredText; part: RecoveryPart; path: string }) {
  const input = { id: text.id, part, path };
  const { data: diff, error, refetch } = useAsk('recovery.compare', input, fresh);
  const restore = useAction('recovery.restore', { once: true });
  const restoredAt = text.restored?.at;
  // biome-ignore lint/correctness/useExhaustiveDependencies: restoring it changes the note.
  useEffect(() => void refetch(), [refetch, restoredAt]);
  const bring = (at: number) =>
    diff && restore.mutate({ ...input, basis: diff.basis, hunks: [at] }, { onSettled: () => void refetch() });
  const isSame = diff && diff.hunks.length === 0;
  return (
    <>
      {(error || restore.error) && <Callout tone="bad">{failureText(restore.error ?? error)}</Callout>}
      {diff && !isSame && <p className="versions-quiet">{t('recovery.legend')}</p>}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keys. */}
      <div className="recovery-diff" tabIndex={0}>
        {!diff && !error && <Awaited />}
        {isSame && (
          <EmptyState
            icon={CircleCheck}
            title={t(diff.endsOnly ? 'versions.endsOnly' : 'recovery.same')}
            text={t(diff.endsOnly ? 'versions.endsOnlyText' : 'recovery.sameText')}
          />
        )}
        {diff && !isSame && (
          <Diff
            hunks={diff.hunks}
            label={t('recovery.view.compare')}
            action={(at) => {
              const hunk = diff.hunks[at];
              return (
                <Button
                  size="s"
                  look="quiet"
                  waiting={restore.isPending}
                  aria-label={labelled(t('recovery.restoreHunk'), hunk ? hunkName(hunk) : '')}
                  onClick={() => bring(at)}
                >
                  <Undo2 size={13} aria-hidden />
                  {t('recovery.restoreHunk')}
                </Button>
              );
            }}
          />
        )}
      </div>
    </>
  );
}
