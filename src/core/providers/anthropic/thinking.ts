import type { JsonObject } from '../format';
import type { ModelRequest } from '../provider';

const budgets = { low: 2_048, medium: 8_192, high: 16_384 } as const;
/** Models that think by a budget of tokens; later ones decide themselves, guided by an effort. */
const byBudget = /claude-(3-7|(opus|sonnet|haiku)-4(-[0-5])?(-\d{8})?$)/;
const withoutThinking = /claude-(3(-5)?-(opus|sonnet|haiku)|2|instant)/;

/** What an answer may be long where nobody says otherwise. */
export const usualMaxTokens = (model: string): number => (withoutThinking.test(model) ? 4_096 : 32_000);

/** `max_tokens`, which this API insists on, and how the model is to think. */
export function thinkingFields(request: ModelRequest, canThink: boolean): JsonObject {
  const effort = request.reasoningEffort;
  const maxTokens = request.maxTokens ?? usualMaxTokens(request.model);
  if (!effort || effort === 'none' || !canThink || withoutThinking.test(request.model))
    return { max_tokens: maxTokens };
  if (!byBudget.test(request.model))
    return {
      max_tokens: maxTokens,
      thinking: { type: 'adaptive', display: 'summarized' },
      output_config: { effort },
    };
  const budget = budgets[effort];
  return {
    // The budget counts towards `max_tokens` and must be smaller.
    max_tokens: Math.max(maxTokens, budget + 1_024),
    thinking: { type: 'enabled', budget_tokens: budget },
  };
}
