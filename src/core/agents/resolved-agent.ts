import type { Agent } from '../../contract/agents';

/** An agent note, read. */
export interface ResolvedAgent extends Agent {
  readonly instructions: string;
  readonly temperature: number | null;
  readonly maxTokens: number | null;
  readonly approval: 'ask' | 'allow' | 'deny' | null;
  readonly reasoning: 'none' | 'low' | 'medium' | 'high' | null;
  readonly webSearch: boolean | null;
  readonly parameters: Readonly<Record<string, unknown>> | null;
}
