import type { Conversation } from '../../markdown';
import { printBlockResult, printToolCall } from '../../markdown';
import type { NoteSession } from '../notes';

/** Calls that a run left behind when the app died are marked, from the end so that the places above stay right. */
export function markInterrupted(session: NoteSession, clientId: string, conversation: Conversation): number {
  const found: { from: number; to: number; text: string }[] = [];
  for (const turn of conversation.turns) {
    for (const part of turn.parts) {
      if (part.kind !== 'call' || part.call.form !== 'interlinear' || part.call.result.state !== 'running')
        continue;
      const { server, tool, arguments: args, result } = part.call;
      const text = printToolCall({
        server,
        tool,
        arguments: args,
        result: { ...result, state: 'interrupted' },
      });
      found.push({ from: part.call.from, to: part.call.to, text });
    }
  }
  for (const { server, tool, result } of conversation.blocks) {
    if (result?.value.state !== 'running') continue;
    const text = printBlockResult(server, tool, { ...result.value, state: 'interrupted' });
    found.push({ from: result.from, to: result.to, text });
  }
  found.sort((a, b) => b.from - a.from);
  for (const { from, to, text } of found)
    session.edit(clientId, { from, to: trimmedTo(session, from, to), insert: text });
  return found.length;
}

function trimmedTo(session: NoteSession, from: number, to: number): number {
  return from + session.slice(from, to).trimEnd().length;
}
