import type { Conversation, TagNames, ToolResult } from '../../../markdown';
import { printBlockResult, printToolCall } from '../../../markdown';
import type { NoteSession } from '../../notes';
import type { Tools } from '../../tools';
import { callIdOf, withCallId } from './call-id';
import { holdStretch } from './stretch';

/** A call in a note that has no result, or none that says anything; `print` writes it with another one. */
export interface OpenCall {
  readonly from: number;
  readonly to: number;
  readonly server: string;
  readonly tool: string;
  readonly result: ToolResult;
  print(result: ToolResult): string;
}

/** The call of this id goes on at its server: written beside `running`, so that its result finds its place. */
export const taskWord = (callId: string): string => `task=${callId}`;

/** It waits for a person's word, and is not made before; beside `interrupted`: it never was. */
export const askedWord = 'asked';

/** Null where the app was the only one that could have gone on with it. */
export const taskOf = ({ other }: ToolResult): string | null =>
  other.find((word) => word.startsWith('task='))?.slice(5) ?? null;

/** Running and interrupted calls, the last of the note first. */
export function openCalls(conversation: Conversation): OpenCall[] {
  const open: OpenCall[] = [];
  for (const { form, from, to, server, tool, arguments: args, body, result } of conversation.calls) {
    if (form !== 'interlinear' || !isOpen(result)) continue;
    const print = (next: ToolResult) =>
      printToolCall({ server, tool, arguments: args, body, result: withCallId(next, callIdOf(result)) });
    open.push({ from, to, server, tool, result, print });
  }
  for (const { server, tool, result } of conversation.blocks) {
    if (!result || !isOpen(result.value)) continue;
    const print = (next: ToolResult) => printBlockResult(server, tool, next);
    open.push({ from: result.from, to: result.to, server, tool, result: result.value, print });
  }
  return open.sort((a, b) => b.from - a.from);
}

const isOpen = ({ state }: ToolResult) => state === 'running' || state === 'interrupted';

/**
 * Calls that a run left behind when the app died are marked, from the end so that the places above stay right; those
 * that go on at their servers keep their place.
 */
export function markInterrupted(
  session: NoteSession,
  clientId: string,
  conversation: Conversation,
  { hasTask }: Pick<Tools, 'hasTask'>,
  tags: TagNames,
): number {
  const lost = openCalls(conversation).filter(({ result }) => {
    const callId = taskOf(result);
    return result.state === 'running' && (callId === null || !hasTask(callId));
  });
  for (const call of lost) {
    replaceCall(session, clientId, call, { ...call.result, state: 'interrupted' }, tags);
  }
  return lost.length;
}

export function replaceCall(
  session: NoteSession,
  clientId: string,
  { from, to, result: present, print }: OpenCall,
  result: ToolResult,
  tags: TagNames,
): void {
  const end = from + session.slice(from, to).trimEnd().length;
  // What stands there beside it was typed into it while the call was under way.
  const stretch = holdStretch({ session, hand: clientId, tags, from, to: end, written: print(present) });
  stretch.replace(print(result));
  stretch.release();
}
