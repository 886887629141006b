import { answerIn, StreamFault } from '../failures';
import { isObject, type JsonObject } from '../format';
import type { AnthropicEvent } from './from-stream';

/** A whole message as the events that would have told it. */
export function eventsOf(body: unknown): AnthropicEvent[] {
  const message = answerIn(body);
  if (!Array.isArray(message.content)) throw new StreamFault('incomplete', 'The answer holds no content.');
  return [
    { type: 'message_start', message } as AnthropicEvent,
    ...message.content.filter(isObject).flatMap(blockEvents),
    { type: 'message_delta', delta: { stop_reason: message.stop_reason } },
    { type: 'message_stop' },
  ];
}

function blockEvents(block: JsonObject, index: number): AnthropicEvent[] {
  const { started, deltas } = piecesOf(block);
  return [
    { type: 'content_block_start', index, content_block: started },
    ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
    { type: 'content_block_stop', index },
  ];
}

/** A block as it begins, and what is then added; what no delta tells begins whole. */
function piecesOf(block: JsonObject): { started: JsonObject; deltas: JsonObject[] } {
  if (block.type === 'thinking')
    return {
      started: { ...block, thinking: '' },
      deltas: [{ type: 'thinking_delta', thinking: block.thinking }],
    };
  if (isObject(block.input)) {
    const partial_json = JSON.stringify(block.input);
    return { started: { ...block, input: {} }, deltas: [{ type: 'input_json_delta', partial_json }] };
  }
  if (block.type === 'text' && Array.isArray(block.citations)) {
    const { citations, ...started } = block;
    return {
      started,
      deltas: block.citations.map((citation) => ({ type: 'citations_delta', citation })),
    };
  }
  return { started: block, deltas: [] };
}
