import { AppError } from '../../contract/errors';
import {
  blockAt,
  type Conversation,
  printBlockResult,
  type ToolBlock,
  type ToolResult,
} from '../../markdown';
import type { NoteSession } from '../notes';
import type { CallStep } from '../tools';
import { type CallParts, runningResult, runningTask, toolResult } from './calls';
import { earlierResults } from './earlier';

/** The tool block at a place; throws where there is none or it cannot be read. */
export function readableBlock(
  conversation: Conversation,
  at: number,
): ToolBlock & {
  readonly arguments: NonNullable<ToolBlock['arguments']>;
} {
  const block = blockAt(conversation, at);
  if (!block) {
    throw new AppError('request.invalid', 'There is no tool block here.', { issues: ['no tool block'] });
  }
  const { arguments: args, error, tool } = block;
  if (!args) {
    const issues = [error ?? 'not a YAML mapping'];
    throw new AppError('tool.invalid-arguments', `The block cannot be read: ${issues.join('; ')}`, {
      tool,
      issues,
    });
  }
  if (block.result?.value.state === 'running') {
    throw new AppError('request.invalid', 'This block is being run already.', {
      issues: ['already running'],
    });
  }
  return { ...block, arguments: args };
}

/** Runs a block by hand. Its result stands directly below it; an older one makes place. */
export async function runBlock(
  block: ReturnType<typeof readableBlock>,
  call: {
    readonly session: NoteSession;
    readonly conversation: Conversation;
    /** Also the hand that writes. */
    readonly callId: string;
    readonly signal: AbortSignal;
    readonly onStep: (step: CallStep) => void;
  },
  parts: CallParts,
): Promise<void> {
  const { session, callId } = call;
  const entry = parts.tools.find(block.server, block.tool);
  const print = (result: Parameters<typeof printBlockResult>[2]) =>
    printBlockResult(block.server, block.tool, result);

  const running = print(runningResult(null));
  const from = block.result ? block.result.from : blockEnd(session, block);
  const lead = block.result ? '' : '\n\n';
  const oldEnd = block.result ? from + session.slice(from, block.result.to).trimEnd().length : from;
  session.edit(callId, { from, to: oldEnd, insert: lead + running });
  const start = session.anchor(from + lead.length, 1);
  const end = session.anchor(from + lead.length + running.length, -1);
  const write = (result: ToolResult) =>
    session.edit(callId, { from: start.position(), to: end.position(), insert: print(result) });
  try {
    const outcome = await parts.tools.run(
      {
        callId,
        runId: null,
        path: session.path,
        by: 'person',
        serverId: entry?.serverId ?? block.server,
        tool: block.tool,
        arguments: block.arguments,
        unattended: null,
        earlier: earlierResults(call.conversation, block),
        keepsTask: true,
      },
      call.signal,
      (step) => {
        if (step.kind === 'task') write(runningTask(null, callId));
        call.onStep(step);
      },
    );
    if (outcome.status === 'interrupted') return;
    write(await toolResult(outcome, block.tool, null, parts));
    parts.tools.forgetTask(callId);
  } finally {
    start.release();
    end.release();
  }
}

function blockEnd(session: NoteSession, block: ToolBlock): number {
  return block.from + session.slice(block.from, block.to).trimEnd().length;
}
