/** How a vendor departs from the format that it speaks. */
export interface Quirks {
  readonly maxTokensField: 'max_tokens' | 'max_completion_tokens';
  /** The field of an assistant message in which its reasoning goes back within a tool loop. */
  readonly returnReasoning: 'reasoning_content' | 'reasoning_details' | 'as-received' | 'never';
  /** Models whose reasoning must not go back. */
  readonly stripReasoning?: RegExp;
  /** An assistant message with tool calls must have `reasoning_content`, if only an empty one. */
  readonly backfillReasoning: boolean;
  /** How reasoning effort is asked for. */
  readonly effort:
    | 'reasoning_effort'
    | 'reasoning'
    | 'thinking'
    | 'thinking-kept'
    | 'thinking-and-effort'
    | 'enable_thinking';
  /** Whether usage has to be asked for by `stream_options`. */
  readonly streamOptions: boolean;
  /** Arguments of tool calls come piece by piece only if asked for. */
  readonly toolStream: boolean;
  /** What every request carries besides. */
  readonly always?: Readonly<Record<string, unknown>>;
  readonly inlineDefinitions: boolean;
  /** What asks for the vendor's own search of the web in a chat request; null: it has none there. */
  readonly webSearch: Readonly<Record<string, unknown>> | null;
  /** Models that can't be kept from thinking: asking for it is an error. */
  readonly alwaysThinks?: RegExp;
  /** Models whose prompts are remembered only up to places that are marked, as Claude's. */
  readonly cacheMarks?: RegExp;
  readonly auth: 'bearer' | 'api-key';
  readonly listsModels: boolean;
  /** Takes any id of a call, so that it is sent those again that stand in the note. */
  readonly anyCallId: boolean;
  /** Models that take pictures. */
  readonly images: RegExp;
  readonly pdf: boolean;
}

const every = /./;

/** What most vendors do. */
export const usual: Quirks = {
  maxTokensField: 'max_tokens',
  returnReasoning: 'reasoning_content',
  backfillReasoning: false,
  effort: 'reasoning_effort',
  streamOptions: true,
  toolStream: false,
  inlineDefinitions: false,
  webSearch: null,
  auth: 'bearer',
  listsModels: true,
  anyCallId: true,
  images: every,
  pdf: false,
};

export const openaiQuirks: Quirks = {
  ...usual,
  maxTokensField: 'max_completion_tokens',
  returnReasoning: 'never',
  anyCallId: false,
  images: /gpt-(4o|4\.1|4-turbo|5|6)|^o\d|chatgpt/,
  pdf: true,
};
