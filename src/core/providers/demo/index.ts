import { delay } from '../../foundation';
import type { Format } from '../format';
import type { ModelEvent, ModelRequest } from '../provider';
import { readsEvents } from '../reading';
import { decide } from './decide';
import { readTurn } from './turn';

/** Milliseconds between two words. */
const usualPace = 24;

/** A scripted stand-in for a model, so that everything else can be tried without a key and without a network. */
export const demo: Format = {
  open: async (_target, request, transport) => readsEvents(speak(request, transport.signal)),
  models: async () => ['demo'],
};

async function* speak(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
  const turn = readTurn(request);
  const { text, calls } = decide(turn);
  const pace = typeof request.parameters?.pace === 'number' ? request.parameters.pace : usualPace;
  const pause = (times = 1) => (pace > 0 ? delay(pace * times, signal) : undefined);

  await pause(12);
  for (const piece of words(text)) {
    signal.throwIfAborted();
    yield { kind: 'text', text: piece };
    await pause();
  }
  for (const [index, call] of calls.entries()) {
    const argumentsText = JSON.stringify(call.arguments);
    const id = `demo_${turn.callsBefore + index + 1}`;
    yield { kind: 'tool-call-start', index, id, name: call.name };
    for (const piece of argumentsText.match(/.{1,24}/gs) ?? []) {
      yield { kind: 'tool-call-arguments', index, text: piece };
      await pause();
    }
    yield { kind: 'tool-call', index, id, ...call, argumentsText, error: null };
  }
  yield usageOf(request, text + JSON.stringify(calls));
  yield { kind: 'finish', reason: calls.length > 0 ? 'tool-calls' : 'stop' };
}

function words(text: string): string[] {
  return text.match(/\s+\S*|\S+/g) ?? [];
}

/** Four characters are about a token; nothing here is billed. */
function usageOf(request: ModelRequest, answer: string): ModelEvent {
  const characters = request.messages.reduce((sum, message) => sum + message.text.length, 0);
  return {
    kind: 'usage',
    usage: { inputTokens: Math.ceil(characters / 4), outputTokens: Math.ceil(answer.length / 4) },
  };
}
