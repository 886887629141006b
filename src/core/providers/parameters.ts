import { AppError } from '../../contract/errors';
import type { WireFormat } from '../../contract/providers';

/**
 * `any`: whatever value; `value`: no group of names; `cost`: the same, of what can make an answer cost more; else the names that
 * a group may have.
 */
type Allowed = 'any' | 'value' | 'cost' | { readonly [name: string]: Allowed };

const values = (...names: string[]): Record<string, Allowed> =>
  Object.fromEntries(names.map((name) => [name, 'value']));

const costs = (...names: string[]): Record<string, Allowed> =>
  Object.fromEntries(names.map((name) => [name, 'cost']));

const usual = values('temperature', 'top_p', 'top_k', 'presence_penalty', 'frequency_penalty', 'seed');

/**
 * What a note or an agent may say of a request: how words are chosen, how long and in which form. Everything else is the
 * app's, where what is sent and to whom is decided, or the person's, in the settings of the provider.
 */
const ofNotes: Readonly<Record<WireFormat, Record<string, Allowed>>> = {
  'openai-chat': {
    ...usual,
    ...values('min_p', 'top_a', 'typical_p', 'repetition_penalty', 'stop', 'logprobs', 'top_logprobs'),
    ...costs('max_tokens', 'max_completion_tokens', 'reasoning_effort', 'verbosity'),
    ...costs('enable_thinking', 'thinking_budget'),
    parallel_tool_calls: 'value',
    logit_bias: 'any',
    response_format: 'any',
    reasoning: { ...costs('effort', 'max_tokens', 'enabled'), ...values('exclude', 'summary') },
    thinking: costs('type', 'budget_tokens'),
  },
  'openai-responses': {
    ...usual,
    ...costs('max_output_tokens', 'max_tool_calls'),
    ...values('parallel_tool_calls', 'top_logprobs', 'truncation'),
    reasoning: { effort: 'cost', summary: 'value' },
    text: { verbosity: 'cost', format: 'any' },
  },
  'anthropic-messages': {
    ...values('temperature', 'top_p', 'top_k', 'stop_sequences'),
    max_tokens: 'cost',
    thinking: { ...costs('type', 'budget_tokens'), display: 'value' },
    output_config: { effort: 'cost', format: 'any' },
  },
  'gemini-generateContent': {
    generationConfig: {
      ...values('temperature', 'topP', 'topK', 'stopSequences', 'seed'),
      ...values('presencePenalty', 'frequencyPenalty', 'responseMimeType'),
      ...costs('maxOutputTokens', 'mediaResolution'),
      responseSchema: 'any',
      responseJsonSchema: 'any',
      thinkingConfig: { ...costs('thinkingBudget', 'thinkingLevel'), includeThoughts: 'value' },
    },
  },
  'ollama-chat': {
    think: 'cost',
    truncate: 'value',
    format: 'any',
    options: {
      ...usual,
      ...values('min_p', 'typical_p', 'tfs_z', 'repeat_last_n', 'repeat_penalty', 'stop'),
      ...values('mirostat', 'mirostat_eta', 'mirostat_tau'),
      ...costs('num_predict', 'num_ctx'),
    },
  },
  demo: values('pace'),
};

/** The conversation itself: not even a person's settings replace it. */
const conversation: ReadonlySet<string> = new Set([
  ...['messages', 'input', 'contents', 'prompt', 'instructions', 'system', 'stream'],
  ...['systemInstruction', 'system_instruction'],
]);

type Parameters = Readonly<Record<string, unknown>>;

/** Throws `request.invalid`, which names what is refused and where it can be mended. */
export function checkParameters(format: WireFormat, ofNote: Parameters, ofSettings: Parameters): void {
  const inNote = notForNotes(format, ofNote);
  if (inNote !== null)
    throw refused(inNote, 'A note or an agent may not set it; you may, in Settings → Providers.');
  const inSettings = notForSettings(ofSettings);
  if (inSettings !== null)
    throw refused(inSettings, 'Take it out of the parameters in Settings → Providers.');
}

function refused(name: string, next: string): AppError<'request.invalid'> {
  const what = `\`${name}\` in \`parameters\` would change what the app sends.`;
  return new AppError('request.invalid', `${what} ${next}`, { issues: [what] });
}

/** The first name that a note or an agent may not set, as it is written; null where it may set all of them. */
export function notForNotes(format: WireFormat, parameters: Parameters): string | null {
  return firstRefused(parameters, ofNotes[format], '');
}

export function notForSettings(parameters: Parameters): string | null {
  return Object.keys(parameters).find((name) => conversation.has(name)) ?? null;
}

/** Of what a note or an agent sets, that which can make an answer cost more; null: nothing of the kind. */
export function costlyOf(format: WireFormat, parameters: Parameters): Parameters | null {
  return costlyIn(parameters, ofNotes[format]);
}

function costlyIn(group: Parameters, allowed: Readonly<Record<string, Allowed>>): Parameters | null {
  const costly = Object.entries(group).flatMap(([name, value]) => {
    const rule = Object.hasOwn(allowed, name) ? allowed[name] : undefined;
    if (rule === 'cost') return [[name, value]];
    if (typeof rule !== 'object' || typeof value !== 'object' || value === null) return [];
    const inner = costlyIn(value as Parameters, rule);
    return inner === null ? [] : [[name, inner]];
  });
  return costly.length === 0 ? null : Object.fromEntries(costly);
}

function firstRefused(
  group: Parameters,
  allowed: Readonly<Record<string, Allowed>>,
  above: string,
): string | null {
  for (const [name, value] of Object.entries(group)) {
    const rule = Object.hasOwn(allowed, name) ? allowed[name] : undefined;
    const path = above + name;
    if (rule === undefined) return path;
    if (rule === 'any') continue;
    const isGroup = typeof value === 'object' && value !== null && !Array.isArray(value);
    const isOne = rule === 'value' || rule === 'cost';
    if (isGroup === isOne) return path;
    const inner = !isOne && isGroup ? firstRefused(value as Parameters, rule, `${path}.`) : null;
    if (inner !== null) return inner;
  }
  return null;
}
