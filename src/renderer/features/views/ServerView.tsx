import './views.css';
import { AppWindow, Maximize2, Minimize2, X } from 'lucide-react';
import { type ReactNode, Suspense, useEffect, useReducer, useRef, useState } from 'react';
import type { ToolEntry } from '../../../contract/tools';
import type { OpenView } from '../../../contract/views';
import { useAsk, useCore } from '../../base/core/core';
import { download } from '../../base/parts/download';
import { failureText } from '../../base/text/failure';
import { t } from '../../base/text/text';
import { visible } from '../../base/text/visible';
import { Button, Callout, classes, IconButton, Popover, Spinner } from '../../ui';
import type { DisplayMode, Mediator, Question } from './mediator';
import { QuestionBar } from './QuestionBar';
import { AskToReach, agree, isAgreed, Reaches } from './Reaches';
import type { KnownOutcome } from './tool-result';
import { useTopLayer } from './use-top-layer';
import { type EndReason, ViewFrame } from './ViewFrame';

export interface ServerViewProps {
  tool: ToolEntry;
  /** The note that its calls belong to. */
  path: string | null;
  args: Readonly<Record<string, unknown>>;
  /** Null while the call runs. */
  outcome: KnownOutcome | null;
  /** When the call was made, where only its note tells of it; and whether the note keeps all of the result. */
  kept?: { readonly at: number; readonly whole: boolean };
  /** Puts a turn of the person into the note; left out: there is none. */
  onMessage?(text: string, answer: boolean): boolean;
  onClose?(): void;
  /** The calls of the view that wait; `note`: its note shows them as well, unless the view covers it. */
  approvals: ReactNode;
  approvalsIn: 'note' | 'view';
}

type Shown =
  | { readonly kind: 'opening' }
  | { readonly kind: 'open'; readonly view: OpenView }
  | { readonly kind: 'ended'; readonly words: string };

const firstHeight = 200;
const maxHeight = 640;

/** What a server wants to be seen of a call's result: its own page, in a frame that is shut off from ours. */
export function ServerView({
  tool,
  path,
  args,
  outcome,
  kept,
  onMessage,
  onClose,
  approvals,
  approvalsIn,
}: ServerViewProps) {
  const core = useCore();
  const info = useAsk('app.info', {}, { staleTime: Number.POSITIVE_INFINITY });
  const [shown, setShown] = useState<Shown>({ kind: 'opening' });
  const [attempt, setAttempt] = useState(0);
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const [ready, setReady] = useState(false);
  const [entered, setEntered] = useState(false);
  const [height, setHeight] = useState(firstHeight);
  const [mode, setMode] = useState<DisplayMode>('inline');
  const [told, setTold] = useState('');
  const [question, setQuestion] = useState<{ ask: Question; answer(yes: boolean): void } | null>(null);
  const mediator = useRef<Mediator | null>(null);
  const viewId = useRef('');
  const words = useRef('');
  const box = useRef<HTMLElement>(null);
  const asking = useRef(false);
  const heightAfter = useRef<number | null>(null);
  const modeNow = useRef(mode);
  modeNow.current = mode;
  const opened = useRef<AbortController>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt opens it anew.
  useEffect(() => {
    const closing = new AbortController();
    opened.current = closing;
    const open = async () => {
      const call = kept ? { arguments: args as never, at: kept.at } : null;
      const asked = { serverId: tool.serverId, tool: tool.name, path, call };
      for await (const view of core.stream('views.open', asked, { signal: closing.signal })) {
        viewId.current = view.viewId;
        if (words.current !== '') await core.call('views.tell', { viewId: view.viewId, text: words.current });
        // After a lost connection the core knows the view by another id; the page itself has lost nothing.
        setShown((now) => (now.kind === 'open' ? now : { kind: 'open', view }));
      }
    };
    open().catch((error: unknown) => {
      if (!closing.signal.aborted) setShown({ kind: 'ended', words: failureText(error) });
    });
    return () => closing.abort();
  }, [core, tool.serverId, tool.name, path, attempt]);

  useTopLayer(box, mode === 'fullscreen', () => setMode('inline'));

  const end = (why: EndReason) => {
    const close = () => {
      // With the stream the view loses its address and its rights.
      opened.current?.abort();
      setMode('inline');
      words.current = '';
      setTold('');
      setQuestion(null);
      asking.current = false;
      heightAfter.current = null;
      if (why === 'asked' && onClose) onClose();
      else setShown({ kind: 'ended', words: t(`view.ended.${why}`) });
    };
    if (why === 'asked') void (mediator.current?.tearDown() ?? Promise.resolve()).then(close);
    else close();
  };
  const again = () => {
    setReady(false);
    setShown({ kind: 'opening' });
    setAttempt((count) => count + 1);
  };
  const ask = (asked: Question) => {
    if (asking.current) return Promise.resolve(false);
    asking.current = true;
    return new Promise<boolean>((resolve) => {
      setQuestion({
        ask: asked,
        answer: (yes) => {
          asking.current = false;
          setQuestion(null);
          if (heightAfter.current !== null) setHeight(heightAfter.current);
          heightAfter.current = null;
          resolve(yes);
        },
      });
    });
  };
  const tell = async (text: string) => {
    await core.call('views.tell', { viewId: viewId.current, text });
    words.current = text;
    setTold(text);
  };

  const name = visible(tool.title || tool.name);
  const reaches = shown.kind === 'open' ? shown.view.reaches : [];
  const waitsForYes = shown.kind === 'open' && !isAgreed(shown.view);
  const full = mode === 'fullscreen';
  return (
    <div className="server-view-place" style={full ? { minHeight: height + 36 } : undefined}>
      <section
        ref={box}
        className={classes('server-view', full && 'server-view-full')}
        aria-label={t('view.of', { tool: name })}
      >
        <header>
          <AppWindow size={14} strokeWidth={1.75} aria-hidden />
          <span className="server-view-name">{name}</span>
          <span className="server-view-server">{t('view.by', { server: visible(tool.serverName) })}</span>
          {reaches.length > 0 && !full && !waitsForYes && <Reaches places={reaches} />}
          <span className="server-view-gap" />
          {shown.kind === 'open' && ready && (
            <span className="server-view-hint" aria-hidden>
              {t(entered ? 'view.escLeaves' : 'view.clickToUse')}
            </span>
          )}
          {shown.kind === 'open' && !waitsForYes && (
            <IconButton
              icon={full ? Minimize2 : Maximize2}
              size="s"
              label={t(full ? 'view.smaller' : 'view.larger')}
              onClick={() => setMode(full ? 'inline' : 'fullscreen')}
            />
          )}
          {onClose && <IconButton icon={X} size="s" label={t('view.close')} onClick={() => end('asked')} />}
        </header>
        {shown.kind === 'ended' ? (
          <Callout
            tone="warn"
            title={shown.words}
            actions={
              <Button size="s" onClick={again}>
                {t('view.again')}
              </Button>
            }
          >
            {t('view.resultStays')}
          </Callout>
        ) : (
          <div className="server-view-body">
            {shown.kind === 'open' && waitsForYes && (
              <AskToReach
                places={reaches}
                onYes={() => {
                  agree(shown.view);
                  setReady(false);
                  redraw();
                }}
              />
            )}
            {shown.kind === 'open' && !waitsForYes && (
              <ViewFrame
                key={shown.view.viewId}
                view={shown.view}
                tool={tool}
                version={info.data?.version ?? ''}
                args={args}
                outcome={shown.view.outcome ?? outcome}
                mode={mode}
                height={height}
                maxHeight={maxHeight}
                title={t('view.of', { tool: name })}
                handlers={{
                  takesMessages: onMessage !== undefined,
                  call: (called, given, signal) =>
                    core.call(
                      'views.call',
                      { viewId: viewId.current, tool: called, arguments: given },
                      { signal },
                    ),
                  read: (uri, signal) => core.call('views.read', { viewId: viewId.current, uri }, { signal }),
                  resources: (signal) => core.call('views.resources', { viewId: viewId.current }, { signal }),
                  prompts: (signal) => core.call('views.prompts', { viewId: viewId.current }, { signal }),
                  tell,
                  ask,
                  // What asks stays where it is: a view moves no button below a finger that is about to press.
                  show: (wanted) => {
                    if (asking.current) return modeNow.current;
                    setMode(wanted);
                    return wanted;
                  },
                  onReady: () => setReady(true),
                  onHeight: (pixels) => {
                    const wanted = Math.round(Math.min(maxHeight, Math.max(40, pixels)));
                    if (asking.current) heightAfter.current = wanted;
                    else setHeight(wanted);
                  },
                }}
                onEnd={end}
                onEntered={setEntered}
                onMediator={(made) => {
                  mediator.current = made;
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
        {shown.kind === 'open' && kept?.whole === false && shown.view.outcome === null && (
          <p className="server-view-note">{t('view.cut')}</p>
        )}
        {question && (
          <QuestionBar
            question={question.ask}
            server={tool.serverName}
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
        )}
        {told !== '' && path !== null && !full && (
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
              <pre className="server-view-words">{visible(told)}</pre>
            </Popover>
            <IconButton icon={X} size="s" label={t('view.forget')} onClick={() => void tell('')} />
          </div>
        )}
        {/* Its own boundary: where this part is fetched late, the frame must not be hidden and begin anew. */}
        {(full || approvalsIn === 'view') && <Suspense>{approvals}</Suspense>}
      </section>
    </div>
  );
}
