/** The words of the conversation format. Offsets count UTF-16 units of a text with `\n` line ends. */

export interface TagNames {
  readonly newChat: readonly string[];
  readonly user: readonly string[];
  readonly system: readonly string[];
  /** Tags of configured providers and agents. */
  readonly assistant: readonly string[];
  /** Tags under which models answered that are configured no more: nobody is offered them, and what they said stays theirs. */
  readonly former?: readonly string[];
  /**
   * Tags that the app gives to models by itself, with a number behind them where there are several. Where nobody has one
   * now, it counts only with a colon, as it is written: `#Gemini` alone may be about anything.
   */
  readonly given?: readonly string[];
}

export type Role = 'user' | 'system' | 'assistant';

/** A part of a result as it stands in a note; pictures are files by then. */
export type NotePart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'json'; readonly value: unknown }
  | { readonly kind: 'resource'; readonly uri: string; readonly text: string }
  /** `target` is a path in the vault. */
  | { readonly kind: 'picture'; readonly target: string }
  /** Any other file of the vault; read again, it is a link. */
  | { readonly kind: 'file'; readonly target: string; readonly name: string }
  | { readonly kind: 'link'; readonly uri: string; readonly name: string };

export type ResultState = 'running' | 'ok' | 'error' | 'cancelled' | 'denied' | 'interrupted';

export interface ToolResult {
  readonly state: ResultState;
  readonly ms: number | null;
  /** ISO 8601. */
  readonly at: string | null;
  /** Calls of the same turn were made in parallel. */
  readonly turn: number | null;
  readonly cached: boolean;
  readonly truncated: boolean;
  /** Short hash of the tool's definition. */
  readonly definition: string | null;
  /** Words of the info string that are not ours, kept as they are. */
  readonly other: readonly string[];
  readonly parts: readonly NotePart[];
}

/** A fence whose language is a server's name or id and whose body has a `tool:` line. */
export interface ToolBlock {
  readonly from: number;
  readonly to: number;
  readonly server: string;
  readonly tool: string;
  /** Without its closing line a fence goes on to the end of the note, whatever stands there. */
  readonly closed: boolean;
  /** Null where it is not closed, or the rest is not one YAML mapping; `error` then says why. */
  readonly arguments: Readonly<Record<string, unknown>> | null;
  readonly error: string | null;
  /** The result callout directly below a block run by hand. */
  readonly result: { readonly from: number; readonly to: number; readonly value: ToolResult } | null;
}

/** A call that a model made, in its folded callout; `form` tells which program wrote it. */
export interface ToolCallout {
  readonly from: number;
  readonly to: number;
  readonly form: 'interlinear' | 'tars-call' | 'tars-result';
  readonly server: string;
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  /** Why its arguments, which a person may have edited, cannot be read; they are empty then. */
  readonly error: string | null;
  /** The lines of its block as they are written, a person's comments among them; null: the block stands above. */
  readonly body: string | null;
  readonly result: ToolResult;
}

export type TurnPart =
  /** Sent as written. */
  | { readonly kind: 'text'; readonly from: number; readonly to: number }
  | { readonly kind: 'call'; readonly from: number; readonly to: number; readonly call: ToolCallout }
  /** Any other callout (thinking, failure, note …): never sent. */
  | { readonly kind: 'callout'; readonly from: number; readonly to: number; readonly type: string };

export interface Turn {
  readonly role: Role;
  /** As written, without `#`. */
  readonly tag: string;
  /** Nobody here has its tag: it is read as a model's, who may have been another's. */
  readonly isUnknown?: true;
  /** From the `#` to the end of the turn (the next role tag's line start, or the end of the text). */
  readonly from: number;
  readonly to: number;
  /** Where the content begins: after the tag, the colon and the blanks. */
  readonly contentFrom: number;
  readonly parts: readonly TurnPart[];
}

export interface Conversation {
  readonly frontMatter: { readonly from: number; readonly to: number } | null;
  /** All turns of the note, in order, with what `#NewChat` separates. */
  readonly turns: readonly Turn[];
  /** Offsets of the `#` of each new-chat tag. */
  readonly newChats: readonly number[];
  /** Tool blocks written by a person, outside callouts. */
  readonly blocks: readonly ToolBlock[];
  /** Calls with their own results, whoever's turn they stand in, or nobody's. */
  readonly calls: readonly ToolCallout[];
}
