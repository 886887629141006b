import { isAppError } from '../../../contract/errors';
import { createMessageLimits } from './message-limits';
import * as say from './messages';
import type { ToolResult } from './tool-result';
import { answerMethod, type MethodParts } from './view-methods';

export interface MediatorParts extends MethodParts {
  /** To the frame. */
  post(message: Record<string, unknown>): void;
  onReady(): void;
  onHeight(pixels: number): void;
  /** The view is to be closed: it asked for that, or went beyond its limits. */
  onEnd(why: 'asked' | 'too-many' | 'too-large'): void;
  now(): number;
}

export interface Mediator {
  /** What came from the frame, whatever it is. */
  receive(message: unknown): void;
  input(args: Readonly<Record<string, unknown>>): void;
  result(result: ToolResult): void;
  cancelled(reason: string): void;
  contextChanged(change: Record<string, unknown>): void;
  /** Lets the view save what it has; resolves when it has, or after a moment. */
  tearDown(): Promise<void>;
  close(): void;
}

const mostUnderWay = 16;
const tearDownMs = 500;

/**
 * The host's side of the protocol MCP Apps, between one frame and the app. Nothing is sent before the frame has asked. Whether it
 * is ready, what waits for that and what is under way belong to one exchange with one frame, and so to one function.
 */
export function createMediator(parts: MediatorParts): Mediator {
  const closing = new AbortController();
  const judge = createMessageLimits(parts.now);
  const underWay = new Map<say.Id, AbortController>();
  /** Kept for a view that is not ready yet; the protocol wants the input before the result. */
  const news: { input?: object; outcome?: { method: string; params: object } } = {};
  let ready = false;
  let tornDown: (() => void) | null = null;

  const notify = (method: string, params: object) => {
    if (!closing.signal.aborted) parts.post({ jsonrpc: '2.0', method, params });
  };
  const tellNews = () => {
    if (!ready) return;
    if (news.input) notify('ui/notifications/tool-input', news.input);
    if (news.outcome) notify(news.outcome.method, news.outcome.params);
    news.input = undefined;
    news.outcome = undefined;
  };

  async function answer(id: say.Id, method: string, params: unknown): Promise<void> {
    const reply = (body: Record<string, unknown>) => {
      if (!closing.signal.aborted) parts.post({ jsonrpc: '2.0', id, ...body });
    };
    if (underWay.size >= mostUnderWay || underWay.has(id))
      return reply({ error: { code: -32000, message: 'Too many requests at once' } });
    const stop = new AbortController();
    underWay.set(id, stop);
    try {
      const done = await answerMethod(parts, method, params, AbortSignal.any([stop.signal, closing.signal]));
      reply('error' in done ? { error: done.error } : { result: done.result });
    } catch (error) {
      // The words of the core's own failures are for anyone; others may hold what a view must not see.
      const message = isAppError(error) ? error.message : 'It did not work';
      reply({ error: { code: -32000, message } });
    } finally {
      underWay.delete(id);
    }
  }

  function noted(method: string, params: unknown): void {
    switch (method) {
      case 'ui/notifications/initialized':
        if (ready) return;
        ready = true;
        parts.onReady();
        tellNews();
        return;
      case 'ui/notifications/size-changed': {
        const height = say.SizeChanged.safeParse(params).data?.height;
        if (height !== undefined && height >= 0) parts.onHeight(height);
        return;
      }
      case 'ui/notifications/request-teardown':
        parts.onEnd('asked');
        return;
      case 'notifications/cancelled': {
        const id = (params as { requestId?: unknown } | undefined)?.requestId;
        if (typeof id === 'string' || typeof id === 'number') underWay.get(id)?.abort();
      }
    }
  }

  return {
    receive(raw) {
      if (closing.signal.aborted) return;
      const verdict = judge(raw);
      if (verdict !== 'good') return parts.onEnd(verdict);
      const message = say.Message.safeParse(raw).data;
      if (!message) return;
      if ('method' in message) {
        if ('id' in message) void answer(message.id, message.method, message.params);
        else noted(message.method, message.params);
      } else tornDown?.();
    },
    input(args) {
      news.input = { arguments: args };
      tellNews();
    },
    result(result) {
      news.outcome = { method: 'ui/notifications/tool-result', params: result };
      tellNews();
    },
    cancelled(reason) {
      news.outcome = { method: 'ui/notifications/tool-cancelled', params: { reason } };
      tellNews();
    },
    contextChanged(change) {
      if (ready) notify('ui/notifications/host-context-changed', change);
    },
    tearDown() {
      if (!ready || closing.signal.aborted) return Promise.resolve();
      return new Promise((resolve) => {
        tornDown = resolve;
        setTimeout(resolve, tearDownMs);
        parts.post({ jsonrpc: '2.0', id: 'teardown', method: 'ui/resource-teardown', params: {} });
      });
    },
    close: () => closing.abort(),
  };
}
