import type { NeutralMessage } from './provider';

/**
 * Our id of a call → the one that the provider is to see: the id that it gave itself, as far as the native state of its message
 * or, where any id is taken, the note still knows it; else ours in letters that every provider takes. Two calls of one
 * message never share an id, whatever the provider gave them: their results could not be told apart.
 */
export function callIds(
  messages: readonly NeutralMessage[],
  givenIds: (message: Extract<NeutralMessage, { role: 'assistant' }>) => readonly string[],
  takesAny = false,
): (ourId: string) => string {
  const ids = new Map<string, string>();
  for (const message of messages) {
    if (message.role !== 'assistant') continue;
    const ownIds = givenIds(message);
    const used = new Set<string>();
    message.toolCalls.forEach((call, at) => {
      const noted = takesAny ? (call.givenId ?? call.id) : undefined;
      const own = ownIds.length === message.toolCalls.length ? ownIds[at] : noted;
      let id = own && !used.has(own) ? own : safeId(call.id);
      for (let number = 2; used.has(id); number++) id = `${safeId(call.id)}_${number}`;
      used.add(id);
      ids.set(call.id, id);
    });
  }
  return (ourId) => ids.get(ourId) ?? safeId(ourId);
}

function safeId(id: string): string {
  return id.replace(/[^a-zA-Z0-9_-]/g, '_').slice(-40);
}
