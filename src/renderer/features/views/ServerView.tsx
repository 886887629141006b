import './views.css';
import { X } from 'lucide-react';
import { type ReactNode, Suspense, useReducer, useRef, useState } from 'react';
import { useAsk, useCore } from '../../base/core/core';
import { download } from '../../base/parts/download';
import { t } from '../../base/text/text';
import { visible } from '../../base/text/visible';
import { Button, Callout, classes, IconButton, Popover, Spinner } from '../../ui';
import type { Mediator } from './mediator';
import { QuestionBar } from './QuestionBar';
import { AskToReach, agree, isAgreed, Reaches } from './Reaches';
import type { KnownOutcome } from './tool-result';
import { useOpenView, type ViewedCall } from './use-open-view';
import { useTopLayer } from './use-top-layer';
import { type AskedQuestion, maxHeight, useViewQuestion } from './use-view-question';
import { type EndReason, ViewFrame } from './ViewFrame';
import { ViewHeader } from './ViewHeader';
import type { DisplayMode } from './view-methods';
import { viewRequests } from './view-requests';

export interface ServerViewProps extends ViewedCall {
  /** Null while the call runs. */
  outcome: KnownOutcome | null;
  /** Puts a turn of the person into the note; left out: there is none. */
  onMessage?(text: string, answer: boolean): boolean;
  onClose?(): void;
  /** The calls of the view that wait; `note`: its note shows them as well, unless the view covers it. */
  approvals: ReactNode;
  approvalsIn: 'note' | 'view';
}

/**
 * What a server wants to be seen of a call's result: its own page, in a frame that is shut off from ours. What of it is shown
 * when is one decision over the page's whole life, which is why it stays in one piece.
 */
export function ServerView({
  tool,
  path,
  args,
  outcome,
  record,
  onMessage,
  onClose,
  approvals,
  approvalsIn,
}: ServerViewProps) {
  const core = useCore();
  const info = useAsk('app.info', {}, { staleTime: Number.POSITIVE_INFINITY });
  const view = useOpenView({ tool, path, args, record });
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const [ready, setReady] = useState(false);
  const [entered, setEntered] = useState(false);
  const { question, height, ...asking } = useViewQuestion();
  const [mode, setMode] = useState<DisplayMode>('inline');
  const mediator = useRef<Mediator | null>(null);
  const box = useRef<HTMLElement>(null);
  const modeNow = useRef(mode);
  modeNow.current = mode;
  useTopLayer(box, mode === 'fullscreen', () => setMode('inline'));

  const end = (why: EndReason) => {
    const close = () => {
      view.close();
      setMode('inline');
      asking.drop();
      if (why === 'asked' && onClose) onClose();
      else view.sayEnded(t(`view.ended.${why}`));
    };
    if (why === 'asked') void (mediator.current?.tearDown() ?? Promise.resolve()).then(close);
    else close();
  };
  const again = () => {
    setReady(false);
    view.openAgain();
  };

  const name = visible(tool.title || tool.name);
  const open = view.state.kind === 'open' ? view.state.view : null;
  const waitsForYes = open !== null && !isAgreed(open);
  const full = mode === 'fullscreen';
  return (
    <div className="server-view-place" style={full ? { minHeight: height + 36 } : undefined}>
      <section
        ref={box}
        className={classes('server-view', full && 'server-view-full')}
        aria-label={t('view.of', { tool: name })}
      >
        <ViewHeader
          name={name}
          server={tool.serverName}
          reaches={
            open && open.reaches.length > 0 && !full && !waitsForYes && <Reaches places={open.reaches} />
          }
          hint={open && ready ? t(entered ? 'view.escLeaves' : 'view.clickToUse') : null}
          full={full}
          onResize={open && !waitsForYes ? () => setMode(full ? 'inline' : 'fullscreen') : undefined}
          onClose={onClose && (() => end('asked'))}
        />
        {view.state.kind === 'ended' ? (
          <EndedView why={view.state.words} onAgain={again} />
        ) : (
          <div className="server-view-body">
            {open && waitsForYes && (
              <AskToReach
                places={open.reaches}
                onYes={() => {
                  agree(open);
                  setReady(false);
                  redraw();
                }}
              />
            )}
            {open && !waitsForYes && (
              <ViewFrame
                key={open.viewId}
                view={open}
                tool={tool}
                version={info.data?.version ?? ''}
                args={args}
                outcome={open.outcome ?? outcome}
                mode={mode}
                height={height}
                maxHeight={maxHeight}
                title={t('view.of', { tool: name })}
                handlers={{
                  takesMessages: onMessage !== undefined,
                  ...viewRequests(core, view.id),
                  tell: view.tell,
                  ask: asking.ask,
                  show: (next) => {
                    if (asking.isAsking()) return modeNow.current;
                    setMode(next);
                    return next;
                  },
                  onReady: () => setReady(true),
                  onHeight: asking.resize,
                }}
                onEnd={end}
                onEntered={setEntered}
                onMediator={(current) => {
                  mediator.current = current;
                }}
              />
            )}
            {!ready && !waitsForYes && (
              <p className="server-view-waiting">
                <Spinner /> {t('view.starting')}
              </p>
            )}
          </div>
        )}
        {open && record?.whole === false && open.outcome === null && (
          <p className="server-view-note">{t('view.cut')}</p>
        )}
        {question && <ViewQuestion question={question} server={tool.serverName} onMessage={onMessage} />}
        {view.context !== '' && path !== null && !full && (
          <ToldWords text={view.context} onForget={() => void view.tell('')} />
        )}
        {/* Its own boundary: where this part is fetched late, the frame must not be hidden and begin anew. */}
        {(full || approvalsIn === 'view') && <Suspense>{approvals}</Suspense>}
      </section>
    </div>
  );
}

/** What the view told the model, to be seen and taken back. */
function ToldWords({ text, onForget }: { text: string; onForget(): void }) {
  return (
    <div className="server-view-told">
      <Popover
        label={t('view.told')}
        side="top"
        trigger={
          <Button size="s" look="quiet">
            {t('view.told')}
          </Button>
        }
      >
        <pre className="server-view-words">{visible(text)}</pre>
      </Popover>
      <IconButton icon={X} size="s" label={t('view.forget')} onClick={onForget} />
    </div>
  );
}

function EndedView({ why, onAgain }: { why: string; onAgain(): void }) {
  return (
    <Callout
      tone="warn"
      title={why}
      actions={
        <Button size="s" onClick={onAgain}>
          {t('view.again')}
        </Button>
      }
    >
      {t('view.resultStays')}
    </Callout>
  );
}

interface ViewQuestionProps {
  question: AskedQuestion;
  server: string;
  onMessage: ServerViewProps['onMessage'];
}

/** The bar with a view's question; a yes is answered once what it asked for is done. */
function ViewQuestion({ question, server, onMessage }: ViewQuestionProps) {
  const core = useCore();
  return (
    <QuestionBar
      question={question.ask}
      server={server}
      onNo={() => question.answer(false)}
      onOpen={async (url) => {
        await core.call('app.openExternal', { url });
        question.answer(true);
      }}
      onMessage={(text, answer) => {
        question.answer(onMessage?.(text, answer) ?? false);
      }}
      onSave={(files) => {
        // As bytes of no kind: what is in them is nobody's to open by itself.
        for (const { name, bytes } of files) download(new Blob([bytes]), name);
        question.answer(true);
      }}
    />
  );
}
