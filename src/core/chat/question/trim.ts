import { estimateTokenCount } from 'tokenx';
import { attachmentTokens, type NeutralMessage } from '../../providers';

export interface LeftOut {
  readonly messages: number;
  readonly results: number;
}

export function weight(message: NeutralMessage): number {
  const calls =
    message.role === 'assistant' ? message.toolCalls.map((call) => JSON.stringify(call.arguments)) : [];
  const attached =
    message.role === 'user' ? message.attachments : message.role === 'tool' ? message.images : [];
  const pictures = attached.reduce((sum, one) => sum + attachmentTokens(one), 0);
  return estimateTokenCount([message.text, ...calls].join('\n')) + pictures;
}

export const weightOf = (messages: readonly NeutralMessage[]) =>
  messages.reduce((sum, message) => sum + weight(message), 0);

/**
 * Tokens that a conversation may have after it was too long: less than the model takes where that is known, and less than it
 * was, for an estimate may be wrong; less again with every time.
 */
export function roomFor(
  times: number,
  was: number,
  model: { readonly window: number | null; readonly tools: number; readonly answer: number | null },
): number {
  const answer = model.answer ?? Math.min(4_000, (model.window ?? 0) / 4);
  const free = model.window === null ? Number.POSITIVE_INFINITY : model.window * 0.85 - model.tools - answer;
  return Math.max(200, Math.floor(Math.min(free, was * 0.6) * 0.7 ** (times - 1)));
}

const note = '(Left out to make room.)';

/**
 * Results of tools first, then whole exchanges, the oldest first; the system's words and what was asked last stay. What is
 * still too long are the newest results: they are cut.
 */
export function trimmed(
  messages: readonly NeutralMessage[],
  room: number,
): { messages: NeutralMessage[]; leftOut: LeftOut } {
  let over = weightOf(messages) - room;
  const rest: (NeutralMessage | null)[] = [...messages];
  let [droppedMessages, droppedResults] = [0, 0];
  const change = (at: number, next: NeutralMessage | null) => {
    const before = rest[at];
    over -= (before ? weight(before) : 0) - (next ? weight(next) : 0);
    rest[at] = next;
  };

  const newest = messages.findLastIndex(({ role }) => role === 'assistant' || role === 'user');
  for (const [at, message] of messages.entries()) {
    if (over <= 0 || at > newest) break;
    if (message.role !== 'tool' || weight(message) < 20) continue;
    change(at, { ...message, text: note, images: [] });
    droppedResults++;
  }

  const lastQuestion = messages.findLastIndex(({ role }) => role === 'user');
  let at = messages.findIndex(({ role }) => role !== 'system');
  while (over > 0 && at < lastQuestion && at !== -1) {
    // A result never stands without its call: an exchange goes as a whole.
    do {
      if (rest[at]?.role !== 'system') {
        change(at, null);
        droppedMessages++;
      }
      at++;
    } while (at < lastQuestion && messages[at]?.role !== 'user');
  }

  for (let index = newest + 1; over > 0 && index < messages.length; index++) {
    const message = rest[index];
    if (message?.role !== 'tool') continue;
    const share = Math.max(0.05, 1 - over / Math.max(1, weight(message)));
    const text = message.text.slice(0, Math.floor(message.text.length * share)).toWellFormed();
    change(index, { ...message, text: `${text}\n${note}`, images: [] });
    droppedResults++;
  }
  return {
    messages: rest.filter((message) => message !== null),
    leftOut: { messages: droppedMessages, results: droppedResults },
  };
}

/** For the note: a person must know what the model has not seen. */
export function leftOutWords({ messages, results }: LeftOut): string {
  const count = (n: number, one: string, many: string) => (n === 0 ? [] : [`${n} ${n === 1 ? one : many}`]);
  const what = [
    ...count(messages, 'older message', 'older messages'),
    ...count(results, 'tool result', 'tool results'),
  ];
  return what.length === 0
    ? 'Nothing could be left out: the message itself is too long. Take linked notes out of it.'
    : `Not sent: ${what.join(' and ')}.`;
}
