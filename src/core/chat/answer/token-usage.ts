import { estimateTokenCount } from 'tokenx';
import type { TokenUsage } from '../../../contract/chat';
import type { ModelEvent, ModelRequest } from '../../providers';
import { weightOf } from '../question/trim';

/** What one request uses. An answer that is stopped or breaks off is paid for, too, as far as it came. */
export function createTally({ messages, tools }: ModelRequest): {
  hear(event: ModelEvent): void;
  /** Null where nothing came, or the provider says nothing of a whole answer. */
  usage(): TokenUsage | null;
  /** As the provider itself says; null where it does not. */
  cost(): number | null;
} {
  let exact: TokenUsage | null = null;
  let cost: number | null = null;
  let soFar: TokenUsage | null = null;
  let text = '';
  let isOver = false;
  return {
    hear(event) {
      if (event.kind === 'text' || event.kind === 'reasoning' || event.kind === 'tool-call-arguments')
        text += event.text;
      else if (event.kind === 'usage') {
        exact = event.usage;
        cost = event.cost ?? null;
      } else if (event.kind === 'usage-so-far') soFar = event.usage;
      else if (event.kind === 'finish') isOver = true;
    },
    cost: () => cost,
    usage() {
      if (exact !== null || isOver) return exact;
      if (soFar === null && text === '') return null;
      const input = soFar?.inputTokens ?? weightOf(messages) + estimateTokenCount(JSON.stringify(tools));
      const output = Math.max(soFar?.outputTokens ?? 0, estimateTokenCount(text));
      return { ...soFar, inputTokens: input, outputTokens: output };
    },
  };
}
