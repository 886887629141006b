import type * as z from 'zod';
import { isAppError } from '../../../contract/errors';
import type { PromptEntry, ResourceContent, ResourceList } from '../../../contract/mcp';
import type { CallOutcome } from '../../../contract/tools';
import { type AskedFile, askedFiles } from './asked-files';
import { createMessageLimits } from './message-limits';
import * as say from './messages';
import { type ToolResult, toolResult } from './tool-result';

export type DisplayMode = 'inline' | 'fullscreen';

/** What a view asks that a person has to answer. */
export type Question =
  | { readonly kind: 'link'; readonly url: string }
  | { readonly kind: 'message'; readonly text: string }
  | { readonly kind: 'files'; readonly files: readonly AskedFile[] };

export interface MediatorParts {
  /** To the frame. */
  post(message: Record<string, unknown>): void;
  readonly hostInfo: { readonly name: string; readonly version: string };
  /** Theme, size, language: what the protocol calls the host's context. */
  context(): Record<string, unknown>;
  /** Whether a turn can be put somewhere. */
  readonly takesMessages: boolean;
  call(
    tool: string,
    args: z.infer<typeof say.CallTool>['arguments'],
    signal: AbortSignal,
  ): Promise<CallOutcome>;
  read(uri: string, signal: AbortSignal): Promise<readonly ResourceContent[]>;
  /** What the view's own server offers. */
  resources(signal: AbortSignal): Promise<ResourceList>;
  prompts(signal: AbortSignal): Promise<readonly PromptEntry[]>;
  tell(text: string): Promise<void>;
  /** True once the person has said yes and it is done. */
  ask(question: Question): Promise<boolean>;
  show(mode: DisplayMode): DisplayMode;
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

const versions = ['2026-01-26', '2025-11-21'];
const mostUnderWay = 16;
const longestWords = 32_000;
const tearDownMs = 500;

const invalid = { code: -32602, message: 'Invalid params' };
const unknownMethod = { code: -32601, message: 'Method not found' };

/** The host's side of the protocol MCP Apps, between one frame and the app. Nothing is sent before the frame has asked. */
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
      const done = await handle(method, params, AbortSignal.any([stop.signal, closing.signal]));
      reply('error' in done ? { error: done.error } : { result: done.result });
    } catch (error) {
      // The words of the core's own failures are for anyone; others may hold what a view must not see.
      const message = isAppError(error) ? error.message : 'It did not work';
      reply({ error: { code: -32000, message } });
    } finally {
      underWay.delete(id);
    }
  }

  const greeting = (version: string) => ({
    protocolVersion: versions.includes(version) ? version : versions[0],
    hostInfo: parts.hostInfo,
    hostCapabilities: {
      openLinks: {},
      downloadFile: {},
      serverTools: {},
      serverResources: {},
      logging: {},
      updateModelContext: { text: {}, structuredContent: {} },
      ...(parts.takesMessages && { message: { text: {} } }),
      sandbox: { permissions: {} },
    },
    hostContext: parts.context(),
  });

  type Answer = { result: object } | { error: { code: number; message: string } };
  async function handle(method: string, params: unknown, signal: AbortSignal): Promise<Answer> {
    /** Only while somebody waits for it. */
    const agreed = async (question: Question): Promise<Answer> => {
      const isDone = !signal.aborted && (await parts.ask(question));
      return { result: isDone ? {} : { isError: true } };
    };
    switch (method) {
      case 'ping':
        return { result: {} };
      case 'ui/initialize': {
        const asked = say.Initialize.safeParse(params).data;
        if (!asked) return { error: invalid };
        return { result: greeting(asked.protocolVersion) };
      }
      case 'tools/call': {
        const asked = say.CallTool.safeParse(params).data;
        if (!asked) return { error: invalid };
        const outcome = await parts.call(asked.name, asked.arguments, signal);
        return { result: toolResult(outcome) };
      }
      case 'resources/read': {
        const asked = say.ReadResource.safeParse(params).data;
        if (!asked) return { error: invalid };
        return { result: { contents: (await parts.read(asked.uri, signal)).map(contentsOf) } };
      }
      // All at once: no list here has a second page.
      case 'resources/list':
        return { result: { resources: (await parts.resources(signal)).resources.map(listed) } };
      case 'resources/templates/list':
        return { result: { resourceTemplates: (await parts.resources(signal)).templates.map(listed) } };
      case 'prompts/list':
        return { result: { prompts: await parts.prompts(signal) } };
      case 'ui/open-link': {
        const asked = say.OpenLink.safeParse(params).data;
        const url = asked && URL.parse(asked.url);
        if (!url) return { error: invalid };
        if (!['https:', 'http:', 'mailto:'].includes(url.protocol)) return { result: { isError: true } };
        return agreed({ kind: 'link', url: url.href });
      }
      case 'ui/download-file': {
        const asked = say.DownloadFile.safeParse(params).data;
        if (!asked) return { error: invalid };
        const files = await askedFiles(asked.contents, (uri) => parts.read(uri, signal));
        if (files === 'broken') return { error: invalid };
        if (files === 'too-large') return { error: { code: -32602, message: 'That is too large' } };
        return files.length > 0 ? agreed({ kind: 'files', files }) : { result: { isError: true } };
      }
      case 'ui/message': {
        const asked = say.UserMessage.safeParse(params).data;
        if (!asked) return { error: invalid };
        const text = say.textOf(asked.content).trim();
        if (!parts.takesMessages || text === '' || text.length > longestWords)
          return { result: { isError: true } };
        return agreed({ kind: 'message', text });
      }
      case 'ui/update-model-context': {
        const asked = say.ModelContext.safeParse(params).data;
        if (!asked) return { error: invalid };
        const { content, structuredContent } = asked;
        const data = structuredContent ? JSON.stringify(structuredContent) : '';
        const text = [say.textOf(content), data].filter((part) => part !== '').join('\n\n');
        if (text.length > longestWords) return { error: { code: -32602, message: 'That is too long' } };
        await parts.tell(text);
        return { result: {} };
      }
      case 'ui/request-display-mode': {
        const asked = say.DisplayMode.safeParse(params).data;
        if (!asked) return { error: invalid };
        return { result: { mode: parts.show(asked.mode === 'fullscreen' ? 'fullscreen' : 'inline') } };
      }
      default:
        return { error: unknownMethod };
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

function contentsOf({ uri, mediaType, text, base64 }: ResourceContent): Record<string, unknown> {
  return {
    uri,
    ...(mediaType !== null && { mimeType: mediaType }),
    ...(text !== null && { text }),
    ...(base64 !== null && { blob: base64 }),
  };
}

/** As the protocol writes an entry of a list: what is not known is left out. */
function listed<T extends { mediaType: string | null; size?: number | null }>({
  mediaType,
  size = null,
  ...rest
}: T): Record<string, unknown> {
  return { ...rest, ...(mediaType !== null && { mimeType: mediaType }), ...(size !== null && { size }) };
}
