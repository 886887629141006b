import type * as z from 'zod';
import type { PromptEntry, ResourceContent, ResourceList } from '../../../contract/mcp';
import type { CallOutcome } from '../../../contract/tools';
import { type AskedFile, askedFiles } from './asked-files';
import * as say from './messages';
import { toolResult } from './tool-result';

export type DisplayMode = 'inline' | 'fullscreen';

/** What a view asks that a person has to answer. */
export type Question =
  | { readonly kind: 'link'; readonly url: string }
  | { readonly kind: 'message'; readonly text: string }
  | { readonly kind: 'files'; readonly files: readonly AskedFile[] };

export interface MethodParts {
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
}

type MethodAnswer = { result: object } | { error: { code: number; message: string } };

const versions = ['2026-01-26', '2025-11-21'];
const longestWords = 32_000;

const invalid = { code: -32602, message: 'Invalid params' };
const unknownMethod = { code: -32601, message: 'Method not found' };

/** What a view may ask, a method of MCP Apps each. */
export async function answerMethod(
  parts: MethodParts,
  method: string,
  params: unknown,
  signal: AbortSignal,
): Promise<MethodAnswer> {
  /** Only while somebody waits for it. */
  const agreed = async (question: Question): Promise<MethodAnswer> => {
    const isDone = !signal.aborted && (await parts.ask(question));
    return { result: isDone ? {} : { isError: true } };
  };
  switch (method) {
    case 'ping':
      return { result: {} };
    case 'ui/initialize': {
      const request = say.Initialize.safeParse(params).data;
      if (!request) return { error: invalid };
      return { result: greeting(parts, request.protocolVersion) };
    }
    case 'tools/call': {
      const request = say.CallTool.safeParse(params).data;
      if (!request) return { error: invalid };
      const outcome = await parts.call(request.name, request.arguments, signal);
      return { result: toolResult(outcome) };
    }
    case 'resources/read': {
      const request = say.ReadResource.safeParse(params).data;
      if (!request) return { error: invalid };
      return { result: { contents: (await parts.read(request.uri, signal)).map(contentsOf) } };
    }
    // All at once: no list here has a second page.
    case 'resources/list':
      return { result: { resources: (await parts.resources(signal)).resources.map(listed) } };
    case 'resources/templates/list':
      return { result: { resourceTemplates: (await parts.resources(signal)).templates.map(listed) } };
    case 'prompts/list':
      return { result: { prompts: await parts.prompts(signal) } };
    case 'ui/open-link': {
      const request = say.OpenLink.safeParse(params).data;
      const url = request && URL.parse(request.url);
      if (!url) return { error: invalid };
      if (!['https:', 'http:', 'mailto:'].includes(url.protocol)) return { result: { isError: true } };
      return agreed({ kind: 'link', url: url.href });
    }
    case 'ui/download-file': {
      const request = say.DownloadFile.safeParse(params).data;
      if (!request) return { error: invalid };
      const files = await askedFiles(request.contents, (uri) => parts.read(uri, signal));
      if (files === 'broken') return { error: invalid };
      if (files === 'too-large') return { error: { code: -32602, message: 'That is too large' } };
      return files.length > 0 ? agreed({ kind: 'files', files }) : { result: { isError: true } };
    }
    case 'ui/message': {
      const request = say.UserMessage.safeParse(params).data;
      if (!request) return { error: invalid };
      const text = say.textOf(request.content).trim();
      if (!parts.takesMessages || text === '' || text.length > longestWords)
        return { result: { isError: true } };
      return agreed({ kind: 'message', text });
    }
    case 'ui/update-model-context': {
      const request = say.ModelContext.safeParse(params).data;
      if (!request) return { error: invalid };
      const { content, structuredContent } = request;
      const data = structuredContent ? JSON.stringify(structuredContent) : '';
      const text = [say.textOf(content), data].filter((part) => part !== '').join('\n\n');
      if (text.length > longestWords) return { error: { code: -32602, message: 'That is too long' } };
      await parts.tell(text);
      return { result: {} };
    }
    case 'ui/request-display-mode': {
      const request = say.DisplayMode.safeParse(params).data;
      if (!request) return { error: invalid };
      return { result: { mode: parts.show(request.mode === 'fullscreen' ? 'fullscreen' : 'inline') } };
    }
    default:
      return { error: unknownMethod };
  }
}

const greeting = (parts: MethodParts, version: string) => ({
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
