import '../../../contract/no-eval';
import * as z from 'zod';
import { CallArguments, JsonObject } from '../../../contract/json';

const Id = z.union([z.string().max(128), z.number()]);
const Params = z.record(z.string(), z.unknown()).optional();
const version = z.literal('2.0');

/** What a frame may send: JSON-RPC as MCP writes it. */
export const Message = z.union([
  z.object({ jsonrpc: version, id: Id, method: z.string().max(128), params: Params }),
  z.object({ jsonrpc: version, method: z.string().max(128), params: Params }),
  z.object({ jsonrpc: version, id: Id, result: z.unknown() }),
  z.object({ jsonrpc: version, id: Id, error: z.unknown() }),
]);
export type Message = z.infer<typeof Message>;
export type Id = z.infer<typeof Id>;

const Uri = z.string().min(1).max(4096);
const Content = z.array(z.looseObject({ type: z.string(), text: z.string().optional() }));

export const Initialize = z.looseObject({ protocolVersion: z.string().max(64) });
export const CallTool = z.looseObject({
  name: z.string().min(1).max(256),
  arguments: CallArguments.default({}),
});
export const ReadResource = z.looseObject({ uri: Uri });
export const OpenLink = z.looseObject({ url: z.string().max(8192) });
const FileToSave = z.discriminatedUnion('type', [
  z.looseObject({
    type: z.literal('resource'),
    resource: z.looseObject({
      uri: Uri,
      mimeType: z.string().optional(),
      text: z.string().optional(),
      blob: z.string().optional(),
    }),
  }),
  z.looseObject({
    type: z.literal('resource_link'),
    uri: Uri,
    name: z.string().optional(),
    mimeType: z.string().optional(),
  }),
]);
export type FileToSave = z.infer<typeof FileToSave>;
export const DownloadFile = z.looseObject({ contents: z.array(FileToSave).min(1).max(8) });
export const UserMessage = z.looseObject({ role: z.literal('user'), content: Content });
export const ModelContext = z.looseObject({
  content: Content.optional(),
  structuredContent: JsonObject.optional(),
});
export const DisplayMode = z.looseObject({ mode: z.enum(['inline', 'fullscreen', 'pip']) });
export const SizeChanged = z.looseObject({ height: z.number().finite().optional() });

/** The text among content; what is no text is left out. */
export function textOf(content: z.infer<typeof Content> | undefined): string {
  return (content ?? []).flatMap(({ type, text }) => (type === 'text' && text ? [text] : [])).join('\n\n');
}
