import './context-panel.css';
import { FileText } from 'lucide-react';
import { memo, type RefObject, useEffect, useRef, useState } from 'react';
import type { OutputOf } from '../../../../contract/define';
import { isAppError } from '../../../../contract/errors';
import type { AppOperations } from '../../../../contract/operations';
import { useConnected } from '../../../base/core/connected';
import { useAction, useCore, useCoreState } from '../../../base/core/core';
import { useWhyNot } from '../../../base/core/why-not';
import { failureText } from '../../../base/text/error-words';
import { compact, price, shortMs, wholeNumber } from '../../../base/text/format';
import { t, useLanguage } from '../../../base/text/text';
import { Badge, Button, EmptyState, type Tone } from '../../../ui';
import { type EditorHandle, useOpenNote, useOpenNotes } from '../../editor/context/open-notes';
import { toolTurnWords } from '../../editor/turns/tool-turn-words';
import { LongList } from './LongList';
import type { Outline } from './outline';
import { useNoteKnowledge, useTouched } from './use-note-knowledge';
import { useOutline } from './use-outline';

type Preview = OutputOf<AppOperations['chat.preview']>;

/** What an answer asked for at the cursor would send, the note's tool calls, and its outline. */
export function ContextPanel({ path }: { path: string }) {
  const { editor } = useOpenNote(path);
  const scroller = useRef<HTMLDivElement>(null);
  if (!editor) return <EmptyState icon={FileText} title={t('context.noNote')} />;
  return (
    <div className="context" ref={scroller}>
      <Sent path={path} editor={editor} />
      <Contents path={path} editor={editor} scroller={scroller} />
    </div>
  );
}

interface PanelPartProps {
  path: string;
  editor: EditorHandle;
}

function Sent({ path, editor }: PanelPartProps) {
  const rested = useTouched(path);
  const answerer = useOpenNotes(({ answerers }) => answerers.get(path));
  const core = useCore();
  const [preview, setPreview] = useState<Preview | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `rested` says that text or cursor have changed.
  useEffect(() => {
    const leaving = new AbortController();
    const { signal } = leaving;
    const look = async () => {
      try {
        const place = await editor.place(signal);
        const tag = answerer ? { tag: answerer } : {};
        setPreview(await core.call('chat.preview', { path, ...place, ...tag }, { signal, waits: true }));
        setProblem(null);
      } catch (error) {
        if (!signal.aborted) setProblem(isAppError(error) ? failureText(error) : t('context.noPreview'));
      }
    };
    void look();
    return () => leaving.abort();
  }, [core, path, editor, rested, answerer]);

  return (
    <section>
      <h3>{t('context.sent')}</h3>
      {problem ? <p className="context-quiet">{problem}</p> : preview && <PreviewFacts preview={preview} />}
    </section>
  );
}

/** How much of what the model takes would be used. */
function ContextMeter({ tokens, window }: { tokens: number; window: number }) {
  const text = t('context.window', { share: Math.ceil((tokens / window) * 100), window: compact(window) });
  return (
    <p className={tokens > window * 0.9 ? 'context-warning' : 'context-quiet'}>
      <meter
        className="context-meter"
        min={0}
        max={window}
        high={window * 0.8}
        value={tokens}
        aria-label={text}
      />
      {text}
    </p>
  );
}

function PreviewFacts({ preview }: { preview: Preview }) {
  if (preview.turns === 0) {
    return preview.warnings.map((warning) => (
      <p key={warning} className="context-quiet">
        {warning}
      </p>
    ));
  }
  return (
    <>
      <dl className="context-facts">
        <dt>{t('context.to')}</dt>
        <dd>{preview.model ?? preview.provider ?? t('context.nobody')}</dd>
        <dt>{t('context.turns')}</dt>
        <dd>{preview.turns}</dd>
        <dt>{t('context.text')}</dt>
        <dd>{t('context.tokens', { count: preview.estimatedTokens - preview.toolTokens })}</dd>
        <dt>{t('context.tools')}</dt>
        <dd>
          {preview.tools === 0
            ? t('context.none')
            : t('context.toolTokens', { count: preview.tools, tokens: preview.toolTokens })}
        </dd>
        {preview.estimatedCost !== null && preview.estimatedCost > 0 && (
          <>
            <dt>{t('context.cost')}</dt>
            <dd>{price(preview.estimatedCost)}</dd>
          </>
        )}
      </dl>
      {preview.contextWindow !== null && (
        <ContextMeter tokens={preview.estimatedTokens} window={preview.contextWindow} />
      )}
      {preview.toolTurns.length > 0 && <h4>{t('context.toolTurns')}</h4>}
      {[...new Set(preview.toolTurns.map(toolTurnWords))].map((words) => (
        <p key={words} className="context-warning" title={t('note.toolTurn.why')}>
          {words}
        </p>
      ))}
      {preview.expanded.length > 0 && <h4>{t('context.linked')}</h4>}
      <ul className="context-list">
        {preview.expanded.map(({ target, server, tokens }) => (
          <li key={`${server} ${target}`}>
            <span>
              {server !== null && <span className="context-soft">{server} </span>}
              {target}
            </span>
            <small>{t('context.tokens', { count: tokens })}</small>
          </li>
        ))}
      </ul>
      {preview.attachments.length > 0 && <h4>{t('context.attached')}</h4>}
      <ul className="context-list">
        {preview.attachments.map(({ target, mediaType, bytes }) => (
          <li key={target}>
            <span>{target}</span>
            <small>
              {mediaType}, {wholeNumber(Math.ceil(bytes / 1024))} KB
            </small>
          </li>
        ))}
      </ul>
      {[...new Set(preview.warnings)].map((warning) => (
        <p key={warning} className="context-warning">
          {warning}
        </p>
      ))}
    </>
  );
}

function Contents({ path, editor, scroller }: PanelPartProps & { scroller: RefObject<HTMLElement | null> }) {
  const rested = useTouched(path);
  const { tags, servers } = useNoteKnowledge();
  const outline = useOutline(editor, rested, tags, servers);
  return outline && <Lists path={path} outline={outline} goTo={editor.goTo} scroller={scroller} />;
}

/** Where calls are limited by note: a new count. */
function CallLimit({ path }: { path: string }) {
  const limit = useCoreState('settings.current', {})?.tools.callsPerNote ?? 0;
  const whyNot = useWhyNot();
  const reset = useAction('tools.resetLimit');
  if (limit <= 0) return null;
  return (
    <p className="context-quiet">
      {t('context.limit', { count: limit })}{' '}
      <Button
        size="s"
        look="quiet"
        busy={reset.isPending}
        disabled={whyNot !== undefined}
        title={whyNot}
        onClick={() => reset.mutate({ path })}
      >
        {reset.isSuccess ? t('context.countedAnew') : t('context.countAnew')}
      </Button>
    </p>
  );
}

const badgeTones: Readonly<Record<string, Tone>> = { running: 'accent', 'not-run': 'neutral', error: 'bad' };

interface ListsProps {
  path: string;
  outline: Outline;
  goTo(at: number): void;
  scroller: RefObject<HTMLElement | null>;
}

const Lists = memo(function Lists({ path, outline: { calls, headings }, goTo, scroller }: ListsProps) {
  useLanguage();
  const connected = useConnected();
  const call = (at: number) => {
    const one = calls[at];
    if (!one) return null;
    return (
      <button type="button" onClick={() => goTo(one.from)}>
        <span>
          <span className="context-soft">{one.server}</span> {one.tool}
        </span>
        {one.state === 'ok' ? (
          <small>{shortMs(one.ms)}</small>
        ) : one.state === 'running' && !connected ? (
          // Whether it still goes on, nobody knows.
          <Badge>{t('note.notConnected')}</Badge>
        ) : (
          <Badge tone={badgeTones[one.state] ?? 'warn'}>
            {t(one.state === 'not-run' ? 'context.notRun' : `call.state.${one.state}`)}
          </Badge>
        )}
      </button>
    );
  };
  const heading = (at: number) => {
    const one = headings[at];
    if (!one) return null;
    return (
      <button
        type="button"
        onClick={() => goTo(one.from)}
        data-level={one.level}
        data-role={one.role ?? undefined}
      >
        <span>{one.text}</span>
      </button>
    );
  };
  return (
    <>
      <section>
        <h3>{t('context.calls')}</h3>
        {calls.length > 0 && <CallLimit path={path} />}
        {calls.length === 0 && <p className="context-quiet">{t('context.noCalls')}</p>}
        <LongList count={calls.length} scroller={scroller} row={call} />
      </section>
      <section>
        <h3>{t('context.outline')}</h3>
        {headings.length === 0 && <p className="context-quiet">{t('context.noOutline')}</p>}
        <LongList count={headings.length} scroller={scroller} row={heading} />
      </section>
    </>
  );
});
