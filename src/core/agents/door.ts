import type { Agent } from '../../contract/agents';
import type { Picture } from '../foundation';

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

export interface Agents {
  readonly list: Picture<Agent[]>;
  /** By name or by tag, without regard to case. */
  find(name: string): ResolvedAgent | undefined;
  /** Resolves when those of a vault that was opened just now are read. */
  settled(): Promise<void>;
  close(): Promise<void>;
}
