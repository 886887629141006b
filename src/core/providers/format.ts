import type { OllamaFit } from './ollama/facts';
import type { ModelRequest } from './provider';
import type { Source } from './reading';
import type { Transport } from './transport';
import type { VendorRow } from './vendors';

/** Where a request goes and with what. */
export interface Target {
  readonly vendor: VendorRow;
  readonly model: string;
  /** Without a slash at its end. */
  readonly baseUrl: string;
  readonly key: string | null;
  readonly apiVersion: string | null;
  /** Whether the answer comes as it is written, or whole at its end. */
  readonly streams: boolean;
  /** Of a model that runs on a machine of the person's own. */
  readonly fit: OllamaFit | null;
}

export interface PullProgress {
  readonly status: string;
  /** Bytes of the part under way. */
  readonly completed: number | null;
  readonly total: number | null;
}

/** A way to speak to a provider. Failures are thrown as they come; the caller names them (see failures.ts). */
export interface Format {
  open(target: Target, request: ModelRequest, transport: Transport): Promise<Source>;
  /** Ids of the models on offer. */
  models(target: Target, transport: Transport): Promise<string[]>;
  /** Has the provider fetch a model for itself, where it can. */
  pull?(target: Target, model: string, transport: Transport): AsyncIterable<PullProgress>;
}

export type JsonObject = Record<string, unknown>;

/** The body as it asks for the whole answer at once. */
export function unstreamed({ stream, stream_options, tool_stream, ...rest }: JsonObject): JsonObject {
  return { ...rest, stream: false };
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * The body with a person's own parameters laid over it: objects are merged, everything else is replaced. Only `tools` is
 * appended to, so that a provider's own tools stand beside those of the MCP servers.
 */
export function withParameters(body: JsonObject, parameters: ModelRequest['parameters']): JsonObject {
  const merged: JsonObject = { ...body };
  for (const [key, value] of Object.entries(parameters ?? {})) {
    const present = merged[key];
    if (key === 'tools' && Array.isArray(present) && Array.isArray(value))
      merged[key] = [...present, ...value];
    else if (isObject(present) && isObject(value)) merged[key] = withParameters(present, value);
    else merged[key] = value;
  }
  return merged;
}
