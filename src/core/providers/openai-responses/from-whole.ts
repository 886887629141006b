import { answerIn } from '../failures';
import { isObject, type JsonObject } from '../format';
import type { ResponsesEvent } from './from-stream';

/** A whole response as the events that would have told it. */
export function eventsOf(body: unknown): ResponsesEvent[] {
  const response = answerIn(body);
  const items = listIn(response, 'output').flatMap((item, output_index): ResponsesEvent[] => [
    ...partsOf(item),
    { type: 'response.output_item.done', output_index, item },
  ]);
  return [...items, { type: `response.${response.status}`, response } as ResponsesEvent];
}

function partsOf(item: JsonObject): ResponsesEvent[] {
  if (item.type === 'reasoning')
    return [...listIn(item, 'summary'), ...listIn(item, 'content')].map(({ text }) => ({
      type: 'response.reasoning_text.delta',
      delta: text,
    }));
  if (item.type !== 'message') return [];
  return listIn(item, 'content').flatMap((part) => [
    { type: 'response.output_text.delta', delta: part.text ?? part.refusal },
    ...listIn(part, 'annotations').map((annotation) => ({
      type: 'response.output_text.annotation.added',
      annotation,
    })),
  ]);
}

function listIn(value: JsonObject, name: string): JsonObject[] {
  const list = value[name];
  return Array.isArray(list) ? list.filter(isObject) : [];
}
