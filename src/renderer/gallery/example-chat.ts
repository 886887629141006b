import type { chatOperations, ToolLine, WaitingRetry } from '../../contract/chat';
import type { Handlers } from '../../contract/define';
import { exampleRuns } from './example-data';
import { live } from './live';

/** Runs that go on, and answers to what is asked of a conversation. */
export function createExampleChat(isEmpty: boolean): Handlers<typeof chatOperations> {
  return {
    'chat.run': () => ({ runId: 'run-2' }),
    'chat.promptTurns': () => ({ turns: [] }),
    'chat.stop': () => undefined,
    'chat.runBlock': () => ({ callId: 'c2' }),
    'chat.agreeToNote': () => undefined,
    'chat.toolLines': (_, { signal }) => live<ToolLine[]>([]).follow(signal),
    'chat.acceptLines': () => undefined,
    'chat.stopCall': () => undefined,
    'chat.retryLater': () => undefined,
    'chat.waiting': (_, { signal }) => live<WaitingRetry[]>([]).follow(signal),
    'chat.runs': (_, { signal }) => live(isEmpty ? [] : exampleRuns).follow(signal),
    'chat.answerer': () => ({ tag: 'Claude', model: 'claude-sonnet-4-5', unavailable: [] }),
    'chat.preview': () => ({
      provider: 'Anthropic',
      model: 'claude-sonnet-4-5',
      turns: 4,
      estimatedTokens: 3_120,
      toolTokens: 2_410,
      tools: 26,
      contextWindow: 200_000,
      estimatedCost: 0.004,
      toolTurns: [],
      expanded: [],
      attachments: [],
      warnings: [],
      unsent: [],
    }),
  };
}
