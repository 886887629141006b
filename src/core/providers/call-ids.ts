import type { NeutralMessage } from './provider';

/**
 * Our id of a call → the one that the provider is to see: the id that it gave itself, as far as the native state of its message
 * or, where any id is taken, the note still knows it; else ours in letters that every provider takes.
 */
export function callIds(
  messages: readonly NeutralMessage[],
  givenIds: (message: Extract<NeutralMessage, { role: 'assistant' }>) => readonly string[],
  takesAny = false,
): (ourId: string) => string {
  const ids = new Map<string, string>();
  for (const message of messages) {
    if (message.role !== 'assistant') continue;
    const given = givenIds(message);
    message.toolCalls.forEach((call, at) => {
      const noted = takesAny ? (call.givenId ?? call.id) : undefined;
      const own = given.length === message.toolCalls.length ? given[at] : noted;
      ids.set(call.id, own || safeId(call.id));
    });
  }
  return (ourId) => ids.get(ourId) ?? safeId(ourId);
}

function safeId(id: string): string {
  return id.replace(/[^a-zA-Z0-9_-]/g, '_').slice(-40);
}
