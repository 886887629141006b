import type { TokenUsage } from '../../contract/chat';
import type { ProviderFailure } from '../../contract/errors';

/** Binary content of a user's message. */
export interface Attachment {
  readonly mediaType: string;
  readonly base64: string;
  readonly name: string;
}

export interface NeutralToolCall {
  /** Our own, unique in the conversation; adapters make what their provider accepts. */
  readonly id: string;
  /** Model name, `server__tool`. */
  /** As whoever made it named it; it may name calls of other turns, too. Left out: `id`. */
  readonly givenId?: string;
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** The conversation in nobody's format. Results follow the assistant message that asked for them. */
export type NeutralMessage =
  | { readonly role: 'system'; readonly text: string }
  | { readonly role: 'user'; readonly text: string; readonly attachments: readonly Attachment[] }
  | {
      readonly role: 'assistant';
      readonly text: string;
      readonly toolCalls: readonly NeutralToolCall[];
      /** What this provider wants back unchanged within a tool loop; only from a `native` event of the same run. */
      readonly native?: NativeState;
    }
  | {
      readonly role: 'tool';
      readonly callId: string;
      readonly name: string;
      readonly text: string;
      readonly isError: boolean;
      readonly images: readonly Attachment[];
    };

/** Signatures, reasoning items, verbatim content blocks. Opaque outside the format that made it. */
export interface NativeState {
  readonly format: string;
  readonly value: unknown;
}

export interface NeutralTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
}

export interface ModelRequest {
  readonly model: string;
  readonly messages: readonly NeutralMessage[];
  readonly tools: readonly NeutralTool[];
  /** It has to call one of them; where a format cannot say so, it is only offered them. */
  readonly toolChoice?: 'required';
  readonly temperature?: number;
  readonly maxTokens?: number;
  readonly reasoningEffort?: 'none' | 'low' | 'medium' | 'high';
  /** The provider's own search of the web, beside the tools above. */
  readonly webSearch?: boolean;
  /** Of the note or the agent; merged into the body last. Only what `checkParameters` lets pass. */
  readonly parameters?: Readonly<Record<string, unknown>>;
}

export type FinishReason = 'stop' | 'length' | 'tool-calls' | 'content-filter' | 'pause' | 'unknown';

/** The one stream everything speaks. A stream ends after `finish`; failures are thrown as `provider.failed`. */
export type ModelEvent =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'reasoning'; readonly text: string }
  | { readonly kind: 'tool-call-start'; readonly index: number; readonly id: string; readonly name: string }
  | { readonly kind: 'tool-call-arguments'; readonly index: number; readonly text: string }
  /** Once a call, complete. `error` where the arguments are not a JSON object; `argumentsText` then holds what came. */
  | {
      readonly kind: 'tool-call';
      readonly index: number;
      readonly id: string;
      readonly name: string;
      readonly arguments: Readonly<Record<string, unknown>> | null;
      readonly argumentsText: string;
      readonly error: string | null;
    }
  /** A page that the provider's own search quotes. */
  | { readonly kind: 'source'; readonly url: string; readonly title: string }
  | { readonly kind: 'native'; readonly state: NativeState }
  /** `cost`: dollars, where the provider says what it asks for. */
  | { readonly kind: 'usage'; readonly usage: TokenUsage; readonly cost?: number }
  /** Said before the end; what counts if the end never comes. */
  | { readonly kind: 'usage-so-far'; readonly usage: TokenUsage }
  | {
      readonly kind: 'retrying';
      readonly attempt: number;
      readonly retryAt: number;
      readonly failure: ProviderFailure;
      readonly message: string;
    }
  | { readonly kind: 'finish'; readonly reason: FinishReason };

export interface Provider {
  readonly id: string;
  readonly vendor: string;
  readonly label: string;
  readonly model: string;
  /** What the model takes besides text. */
  readonly accepts: { readonly images: boolean; readonly pdf: boolean };
  /** The provider's own search of the web: whether it has one, and whether it is set to use it. */
  readonly search: {
    readonly can: 'always' | 'without-tools' | 'never';
    readonly isOn: boolean;
    readonly format: string;
  };
  /** False where it is known that requests with tools would be refused. */
  readonly takesTools: boolean;
  /** Tokens that the model takes; null where that is not known. */
  readonly contextWindow: number | null;
  /** What an answer is asked for with where nobody says otherwise; null: as the model does by itself. */
  readonly usual: {
    readonly maxTokens: number | null;
    readonly reasoning: NonNullable<ModelRequest['reasoningEffort']> | null;
  };
  /** Of a note's or an agent's own parameters, those that can make an answer cost more; null: none. */
  costly(parameters: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> | null;
  /** Throws `request.invalid`, which names what in a note's or an agent's own parameters is not theirs to set. */
  checkParameters(parameters: Readonly<Record<string, unknown>>): void;
  /**
   * One request with retries before the first byte, idle timer and end-of-stream check. Aborting ends the request at
   * the server and throws `provider.failed` with failure `cancelled`.
   */
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>;
  /** US dollars, or null where no price is known. */
  cost(usage: TokenUsage): number | null;
}
