import { useEffect, useLayoutEffect, useRef } from 'react';
import type { ToolEntry } from '../../../contract/tools';
import type { OpenView } from '../../../contract/views';
import { useShownTheme } from '../../base/layout/theme';
import { t } from '../../base/text/text';
import { hostContext, lookOf } from './host-context';
import { createMediator, type Mediator, type MediatorParts } from './mediator';
import { type KnownOutcome, toolResult } from './tool-result';
import { useEntered } from './use-entered';
import { viewAddress } from './view-address';
import type { DisplayMode } from './view-methods';

export type EndReason = 'asked' | 'too-many' | 'too-large' | 'silent' | 'left' | 'keyboard';

export interface ViewFrameProps {
  view: OpenView;
  tool: ToolEntry | undefined;
  version: string;
  args: Readonly<Record<string, unknown>>;
  /** Null while the call runs. */
  outcome: KnownOutcome | null;
  mode: DisplayMode;
  height: number;
  maxHeight: number;
  title: string;
  handlers: Pick<
    MediatorParts,
    | 'takesMessages'
    | 'call'
    | 'read'
    | 'resources'
    | 'prompts'
    | 'tell'
    | 'ask'
    | 'show'
    | 'onHeight'
    | 'onReady'
  >;
  onEnd(why: EndReason): void;
  /** Whether the person has gone into it. */
  onEntered(entered: boolean): void;
  /** There for as long as the frame is there. */
  onMediator(mediator: Mediator | null): void;
}

const startMs = 20_000;

/**
 * A page of a server in a frame of another origin, which can do nothing but send messages. All of its effects are of the one
 * frame and the one mediator that live as long as its address.
 */
export function ViewFrame(props: ViewFrameProps) {
  const { view, outcome, args, mode } = props;
  const frame = useRef<HTMLIFrameElement>(null);
  const mediator = useRef<Mediator | null>(null);
  const loads = useRef(0);
  const latest = useRef(props);
  latest.current = props;
  const theme = useShownTheme();
  const address = viewAddress(view, location);
  const cover = useRef<HTMLButtonElement>(null);
  const { entered, enter, leave } = useEntered(frame, cover, () => latest.current.onEnd('keyboard'));

  // biome-ignore lint/correctness/useExhaustiveDependencies: a frame lives with its address; all else is read when it is needed.
  useLayoutEffect(() => {
    const element = frame.current;
    if (!element) return;
    const { handlers, onEnd, onMediator } = latest.current;
    const silent = setTimeout(() => onEnd('silent'), startMs);
    const instance = createMediator({
      ...handlers,
      post: (message) => element.contentWindow?.postMessage(message, '*'),
      hostInfo: { name: 'interlinear', version: latest.current.version },
      context: () =>
        hostContext({
          root: document.documentElement,
          tool: latest.current.tool,
          version: latest.current.version,
          width: element.clientWidth,
          maxHeight: latest.current.maxHeight,
        }),
      onReady: () => {
        clearTimeout(silent);
        handlers.onReady();
      },
      onEnd,
      now: () => performance.now(),
    });
    mediator.current = instance;
    onMediator(instance);
    const listen = ({ source, origin, data }: MessageEvent) => {
      // A view’s origin is nobody’s, and the page lets the frame hold nothing but views.
      if (source !== element.contentWindow || origin !== 'null') return;
      if (data?.method === 'interlinear/leave') leave();
      else instance.receive(data);
    };
    window.addEventListener('message', listen);
    return () => {
      clearTimeout(silent);
      window.removeEventListener('message', listen);
      void instance.tearDown();
      instance.close();
      mediator.current = null;
      onMediator(null);
    };
  }, [address.href]);

  useEffect(() => {
    const method = entered ? 'interlinear/entered' : 'interlinear/left';
    frame.current?.contentWindow?.postMessage({ method }, '*');
    latest.current.onEntered(entered);
  }, [entered]);
  useEffect(() => mediator.current?.input(args), [args]);
  useEffect(() => {
    if (!outcome) return;
    if (outcome.status === 'ok' || outcome.status === 'error') mediator.current?.result(toolResult(outcome));
    else mediator.current?.cancelled(outcome.status);
  }, [outcome]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the colours are read from the page once the theme has changed.
  useEffect(() => mediator.current?.contextChanged(lookOf(document.documentElement)), [theme]);
  useEffect(() => mediator.current?.contextChanged({ displayMode: mode }), [mode]);
  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    let width = element.clientWidth;
    const observer = new ResizeObserver(() => {
      if (element.clientWidth === width) return;
      width = element.clientWidth;
      const { maxHeight } = latest.current;
      mediator.current?.contextChanged({ containerDimensions: { width, maxHeight } });
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  return (
    <>
      <iframe
        ref={frame}
        inert={!entered}
        src={address.href}
        className="server-view-frame"
        title={props.title}
        sandbox="allow-scripts allow-forms"
        referrerPolicy="no-referrer"
        onLoad={() => {
          // The first page is the view; there is no other that it may go to.
          if (loads.current++ > 0) props.onEnd('left');
        }}
        style={mode === 'inline' ? { height: props.height } : undefined}
      />
      {!entered && (
        <button
          ref={cover}
          type="button"
          className="server-view-cover"
          aria-label={t('view.enter')}
          title={t('view.enter')}
          onClick={enter}
        />
      )}
    </>
  );
}
