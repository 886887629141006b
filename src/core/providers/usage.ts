import type { TokenUsage } from '../../contract/chat';

function usage(
  input: number,
  output: number,
  reasoning: number,
  cached: number,
  cacheWrites = 0,
): TokenUsage {
  return {
    inputTokens: input,
    outputTokens: output,
    ...(reasoning > 0 && { reasoningTokens: reasoning }),
    ...(cached > 0 && { cachedInputTokens: cached }),
    ...(cacheWrites > 0 && { cacheWriteTokens: cacheWrites }),
  };
}

export interface ChatUsage {
  readonly prompt_tokens?: number | null;
  readonly completion_tokens?: number | null;
  readonly total_tokens?: number | null;
  readonly prompt_tokens_details?: {
    readonly cached_tokens?: number | null;
    readonly cache_write_tokens?: number | null;
  } | null;
  /** OpenRouter: dollars. */
  readonly cost?: number | null;
  readonly completion_tokens_details?: { readonly reasoning_tokens?: number | null } | null;
  /** DeepSeek. */
  readonly prompt_cache_hit_tokens?: number | null;
  /** Kimi. */
  readonly cached_tokens?: number | null;
}

/** xAI leaves reasoning out of `completion_tokens`; its total gives it away. */
export function fromChatUsage(raw: ChatUsage): TokenUsage {
  const input = raw.prompt_tokens ?? 0;
  const completion = raw.completion_tokens ?? 0;
  const reasoning = raw.completion_tokens_details?.reasoning_tokens ?? 0;
  const apart = reasoning > 0 && raw.total_tokens === input + completion + reasoning;
  const cached =
    raw.prompt_tokens_details?.cached_tokens ?? raw.prompt_cache_hit_tokens ?? raw.cached_tokens ?? 0;
  const cacheWrites = raw.prompt_tokens_details?.cache_write_tokens ?? 0;
  const output = apart ? completion + reasoning : completion;
  return usage(input, output, reasoning, cached, cacheWrites);
}

export interface ResponsesUsage {
  readonly input_tokens?: number | null;
  readonly output_tokens?: number | null;
  readonly input_tokens_details?: { readonly cached_tokens?: number | null } | null;
  readonly output_tokens_details?: { readonly reasoning_tokens?: number | null } | null;
}

export function fromResponsesUsage(raw: ResponsesUsage): TokenUsage {
  return usage(
    raw.input_tokens ?? 0,
    raw.output_tokens ?? 0,
    raw.output_tokens_details?.reasoning_tokens ?? 0,
    raw.input_tokens_details?.cached_tokens ?? 0,
  );
}

export interface AnthropicUsage {
  readonly input_tokens?: number | null;
  readonly output_tokens?: number | null;
  readonly cache_creation_input_tokens?: number | null;
  readonly cache_read_input_tokens?: number | null;
}

/** Anthropic counts what its cache read and wrote apart from the input; here input means all of it. */
export function fromAnthropicUsage(raw: AnthropicUsage): TokenUsage {
  const cached = raw.cache_read_input_tokens ?? 0;
  const cacheWrites = raw.cache_creation_input_tokens ?? 0;
  const input = (raw.input_tokens ?? 0) + cached + cacheWrites;
  return usage(input, raw.output_tokens ?? 0, 0, cached, cacheWrites);
}

export interface GeminiUsage {
  readonly promptTokenCount?: number;
  readonly candidatesTokenCount?: number;
  readonly thoughtsTokenCount?: number;
  readonly toolUsePromptTokenCount?: number;
  readonly cachedContentTokenCount?: number;
}

export function fromGeminiUsage(raw: GeminiUsage): TokenUsage {
  const thoughts = raw.thoughtsTokenCount ?? 0;
  const input = (raw.promptTokenCount ?? 0) + (raw.toolUsePromptTokenCount ?? 0);
  return usage(input, (raw.candidatesTokenCount ?? 0) + thoughts, thoughts, raw.cachedContentTokenCount ?? 0);
}

export function fromOllamaUsage(raw: { prompt_eval_count?: number; eval_count?: number }): TokenUsage {
  return usage(raw.prompt_eval_count ?? 0, raw.eval_count ?? 0, 0, 0);
}
