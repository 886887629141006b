import { answerIn, StreamFault } from '../failures';
import { isObject } from '../format';
import type { ChatChunk } from './from-stream';

/** A whole completion as the one chunk that says all of it. */
export function chunksOf(body: unknown): ChatChunk[] {
  const { choices, ...rest } = answerIn(body);
  if (!Array.isArray(choices) || choices.length === 0)
    throw new StreamFault('incomplete', 'The answer holds no choice.');
  const deltas = choices.filter(isObject).map(({ message, ...choice }) => ({ ...choice, delta: message }));
  return [{ ...rest, choices: deltas } as ChatChunk];
}
