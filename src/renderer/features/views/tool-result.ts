import type { CallOutcome, ResultPart } from '../../../contract/tools';

/** A result as the protocol writes it, from what the app keeps of it. */
export interface ToolResult extends Record<string, unknown> {
  readonly content: readonly Record<string, unknown>[];
  readonly structuredContent?: Record<string, unknown>;
  readonly isError?: true;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

/** What is known of a call's outcome, from the call itself or from the note. */
export type KnownOutcome = Pick<CallOutcome, 'status' | 'meta'> & { readonly parts: readonly ResultPart[] };

export function toolResult({ parts, status, meta }: KnownOutcome): ToolResult {
  const structured = parts.flatMap((part) =>
    part.kind === 'json' && isObject(part.value) ? [part.value] : [],
  );
  return {
    content: parts.map(contentOf),
    ...(structured.length === 1 && { structuredContent: structured[0] as Record<string, unknown> }),
    ...(status !== 'ok' && { isError: true }),
    ...(meta && { _meta: meta }),
  };
}

function contentOf(part: ResultPart): Record<string, unknown> {
  switch (part.kind) {
    case 'text':
      return { type: 'text', text: part.text };
    case 'json':
    case 'unknown':
      return { type: 'text', text: JSON.stringify(part.value) };
    case 'image':
    case 'audio':
      return { type: part.kind, mimeType: part.mediaType, data: part.base64 };
    case 'resource':
      return {
        type: 'resource',
        resource: {
          uri: part.uri,
          text: part.text,
          ...(part.mediaType !== null && { mimeType: part.mediaType }),
        },
      };
    case 'link':
      return { type: 'resource_link', uri: part.uri, name: part.name };
  }
}

const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value);
