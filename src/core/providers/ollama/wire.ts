import { isChanged } from '../../../contract/changed-number';
import { answerIn, StreamFault } from '../failures';
import { isObject, type JsonObject, type Target } from '../format';
import type { Transport } from '../transport';

/** One request to Ollama's own API; with a `body` it is a POST. Redirects, refusals and idleness are the transport's. */
export function request(
  target: Target,
  transport: Transport,
  path: string,
  body?: unknown,
): Promise<Response> {
  const address = `${target.baseUrl.replace(/\/(v1|api)$/, '')}${path}`;
  const headers: Record<string, string> = {
    accept: 'application/json',
    ...(target.key !== null && { authorization: `Bearer ${target.key}` }),
  };
  if (body === undefined) return transport.fetch(address, { headers });
  return transport.fetch(address, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

/** An answer that is one JSON value. */
export async function whole(response: Response): Promise<JsonObject> {
  return answerIn(jsonOf(await response.text()));
}

/** The lines of an answer, one JSON value each. `{"error":"…"}` in their place is thrown with its words. */
export async function* lines(response: Response): AsyncGenerator<unknown> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const bytes of response.body ?? []) {
    const parts = (rest + decoder.decode(bytes as Uint8Array, { stream: true })).split('\n');
    rest = parts.pop() ?? '';
    for (const part of parts) if (part.trim() !== '') yield jsonOf(part);
  }
  rest += decoder.decode();
  if (rest.trim() !== '') yield jsonOf(rest);
}

/** Of JSON as our hosts have it; TypeScript does not know it yet. */
const json = JSON as unknown as {
  parse(text: string, take: (name: string, value: unknown, from: { source?: string }) => unknown): unknown;
  rawJSON(text: string): unknown;
};

function jsonOf(line: string): unknown {
  let value: unknown;
  try {
    // Arguments come as values: what a number could not keep stays as it was written, for whoever prints them.
    value = json.parse(line, (_name, one, { source }) =>
      typeof one === 'number' && source !== undefined && isChanged(source) ? json.rawJSON(source) : one,
    );
  } catch {
    throw new StreamFault('incomplete', 'A line of the answer is not JSON.');
  }
  if (isObject(value) && typeof value.error === 'string') throw new StreamFault('overloaded', value.error);
  return value;
}
