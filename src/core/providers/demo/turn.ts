import type { ModelRequest, NeutralTool } from '../provider';

/** A call of this turn and what came back. */
export interface DoneCall {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly result: string;
  readonly isError: boolean;
}

export interface Turn {
  readonly question: string;
  readonly tools: readonly NeutralTool[];
  readonly done: readonly DoneCall[];
  /** Calls anywhere in the conversation. */
  readonly callsBefore: number;
}

export interface PlannedCall {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

export interface Step {
  readonly text: string;
  readonly calls: readonly PlannedCall[];
}

/** The last question, and what was done about it so far. */
export function readTurn(request: ModelRequest): Turn {
  const { messages } = request;
  const at = messages.findLastIndex((message) => message.role === 'user');
  const since = messages.slice(at + 1);
  const done = since.flatMap((message) =>
    message.role === 'assistant'
      ? message.toolCalls.flatMap((call): DoneCall[] => {
          const result = since.find((other) => other.role === 'tool' && other.callId === call.id);
          return result?.role === 'tool'
            ? [{ name: call.name, arguments: call.arguments, result: result.text, isError: result.isError }]
            : [];
        })
      : [],
  );
  return {
    question: messages[at]?.text ?? '',
    tools: request.tools,
    done,
    callsBefore: messages.reduce(
      (sum, message) => sum + (message.role === 'assistant' ? message.toolCalls.length : 0),
      0,
    ),
  };
}

/** A tool's own name: the model name is `server__tool`. */
export function bareName(name: string): string {
  return name.slice(name.lastIndexOf('__') + 1).replace(/^_/, '');
}

export function toolNamed(turn: Turn, bare: string): NeutralTool | undefined {
  return turn.tools.find((tool) => bareName(tool.name) === bare);
}

export function callsNamed(turn: Turn, bare: string): DoneCall[] {
  return turn.done.filter((call) => bareName(call.name) === bare);
}
