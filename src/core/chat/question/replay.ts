import {
  type ResultState,
  type ToolCallout,
  type ToolResult,
  type Turn,
  wordsWithin,
} from '../../../markdown';
import type { Attachment, NeutralMessage } from '../../providers';
import { callIdOf } from '../note/call-id';
import { textOfParts } from '../note/note-parts';
import { askedWord } from '../note/open-calls';

/**
 * An assistant's turn as the messages that it was: text, the calls that were made together, their results, text again.
 * Thinking and other callouts are left out.
 */
export async function replayTurn(
  text: string,
  turn: Turn,
  to: {
    readonly newCallId: (previousId: string | null) => string;
    readonly modelName: (server: string, tool: string) => string;
    readonly picture: (target: string) => Promise<Attachment | null>;
  },
): Promise<NeutralMessage[]> {
  const messages: NeutralMessage[] = [];
  let texts: string[] = [];
  let calls: ToolCallout[] = [];

  async function finishMessage(): Promise<void> {
    const content = texts.join('\n\n');
    const toolCalls = calls.map((call) => {
      const givenId = callIdOf(call.result);
      return { call, givenId, id: to.newCallId(givenId), name: to.modelName(call.server, call.tool) };
    });
    texts = [];
    calls = [];
    if (content === '' && toolCalls.length === 0) return;
    messages.push({
      role: 'assistant',
      text: content,
      toolCalls: toolCalls.map(({ call, id, givenId, name }) => ({
        ...{ id, name, arguments: call.arguments },
        ...(givenId !== null && givenId !== id && { givenId }),
      })),
    });
    for (const { call, id, name } of toolCalls) {
      messages.push({ role: 'tool', callId: id, name, ...(await resultMessage(call.result, to.picture)) });
    }
  }

  for (const part of turn.parts) {
    if (part.kind === 'callout') continue;
    if (part.kind === 'text') {
      const words = text.slice(...wordsWithin(text, part));
      if (words === '') continue;
      if (calls.length > 0) await finishMessage();
      texts.push(words);
      continue;
    }
    const together = calls.at(-1)?.result.turn;
    const isSameTurn = together !== undefined && together !== null && together === part.call.result.turn;
    if (calls.length > 0 && !isSameTurn) await finishMessage();
    calls.push(part.call);
  }
  await finishMessage();
  return messages;
}

/** What of a result is sent, and whose words these are: of one that the app wrote itself. */
export function resultWords(result: Pick<ToolResult, 'state' | 'parts' | 'other'>): {
  text: string;
  by: 'app' | 'server';
} {
  const { state, parts } = result;
  if (parts.length === 0) return { text: emptyText(result), by: 'app' };
  const isRefusal = state === 'denied' || state === 'cancelled';
  return { text: textOfParts(parts) || emptyText(result), by: isRefusal ? 'app' : 'server' };
}

/** What a model is told of a result, when it comes and whenever the note is sent again. */
export async function resultMessage(
  result: Pick<ToolResult, 'state' | 'parts' | 'other'>,
  picture: (target: string) => Promise<Attachment | null>,
): Promise<{ text: string; isError: boolean; images: Attachment[] }> {
  const pictures = result.parts.filter((part) => part.kind === 'picture');
  const images = await Promise.all(pictures.map((part) => picture(part.target)));
  return {
    text: resultWords(result).text,
    isError: result.state !== 'ok',
    images: images.filter((image) => image !== null),
  };
}

const emptyText = ({ state, other }: Pick<ToolResult, 'state' | 'other'>): string =>
  (state === 'interrupted' || state === 'running') && other.includes(askedWord)
    ? 'The call waited for a yes and was never made.'
    : emptyTexts[state];

const emptyTexts: Record<ResultState, string> = {
  ok: '(no content)',
  error: 'The call failed.',
  cancelled: 'The call was cancelled.',
  denied: 'The call was not allowed.',
  interrupted: 'The call was interrupted. Whether it had an effect is not known.',
  running: 'The call was interrupted. Whether it had an effect is not known.',
};
