import type { FlowRules } from '../../../contract/flow';
import type { ToolAnnotations, ToolCallers } from '../../../contract/tools';
import type { Program } from '../config/program';

/** A tool as its server describes it. */
export interface DescribedTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  readonly outputSchema: Readonly<Record<string, unknown>> | null;
  readonly annotations: ToolAnnotations;
  /** A picture as `data:` address; no part of the definition. */
  readonly icon?: string;
  /** Address of a page of the server that shows what this tool answers. */
  readonly viewUri?: string;
  /** Who may call it; left out: both. */
  readonly callers?: ToolCallers;
  /** Hash of name, description, schemas and annotations; independent of key order. */
  readonly definition: string;
}

/** A tool as its server describes it, with what the configuration says of it. */
export interface CatalogTool extends DescribedTool {
  readonly serverId: string;
  readonly serverName: string;
  /** Hash of the command or address behind the server. */
  readonly origin: string;
  /** Which vault’s folder decides what is behind the server; null: none does. */
  readonly vault: string | null;
  /** Changes with who is signed in, with the key that is presented and with what is behind the server. */
  readonly account: string;
  readonly enabled: boolean;
  /** From the server's configuration; null: the general setting holds. */
  readonly approval: 'ask' | 'allow' | 'deny' | null;
  /** Which program stands behind the server; left out: it cannot be known. */
  readonly program?: Program;
  /** From the server's configuration: what its tools read and whether they send. */
  readonly flowRules?: FlowRules;
  readonly ownTimeout: number | null;
  /** Its own, else its server's; null: the general setting holds. */
  readonly timeout: number | null;
  readonly concurrency: number | null;
  readonly longRunning: boolean;
}

/** What a person agreed to: the tool as it was described, and what was behind its server. */
export type SeenTool = Pick<CatalogTool, 'definition' | 'origin'>;
