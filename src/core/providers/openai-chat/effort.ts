import type { JsonObject } from '../format';
import type { ModelRequest } from '../provider';
import type { Quirks } from '../quirks';

const budgets = { low: 2_048, medium: 8_192, high: 24_576 } as const;

/** Reasoning effort in the words of each vendor; nothing where nothing was asked for. */
export function effortFields(
  { model, reasoningEffort: effort }: Pick<ModelRequest, 'model' | 'reasoningEffort'>,
  quirks: Pick<Quirks, 'effort' | 'alwaysThinks'>,
): JsonObject {
  if (effort === undefined) return {};
  const off = effort === 'none';
  if (off && quirks.alwaysThinks?.test(model)) return {};
  switch (quirks.effort) {
    case 'reasoning_effort':
      return { reasoning_effort: effort };
    case 'reasoning':
      return { reasoning: off ? { enabled: false } : { effort } };
    case 'thinking':
      return { thinking: off ? { type: 'disabled' } : { type: 'enabled' } };
    case 'thinking-kept':
      // Without the flag Zhipu forgets the thinking of earlier rounds that is sent back to it.
      return { thinking: off ? { type: 'disabled' } : { type: 'enabled', clear_thinking: false } };
    case 'thinking-and-effort':
      return off
        ? { thinking: { type: 'disabled' } }
        : { thinking: { type: 'enabled' }, reasoning_effort: effort };
    case 'enable_thinking':
      return off ? { enable_thinking: false } : { enable_thinking: true, thinking_budget: budgets[effort] };
  }
}
