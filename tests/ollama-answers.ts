/** What a model would say to a request of `/api/chat`, without one: enough for conversations whose outcome is known. */
export interface SaidByOllama {
  readonly words: Iterable<string>;
  readonly call?: { readonly name: string; readonly arguments: unknown };
}

interface Body {
  readonly messages?: readonly { readonly role: string; readonly content: string }[];
  readonly tools?: readonly { readonly function: { readonly name: string } }[];
}

/**
 * It calls the tool that the last question names, with the JSON that stands there; reads out what a tool said; counts when told
 * to, without end; and knows a name that it was told.
 */
export function answerTo({ messages = [], tools = [] }: Body): SaidByOllama {
  const last = messages.at(-1);
  if (last?.role === 'tool') return { words: [`The tool said: ${last.content}`] };
  const asked = last?.content ?? '';
  const tool = tools.find(({ function: { name } }) => asked.includes(name));
  const input = /\{.*\}/s.exec(asked)?.[0];
  if (tool && input) return { words: [], call: { name: tool.function.name, arguments: JSON.parse(input) } };
  if (/^count\b/i.test(asked)) return { words: numbers() };
  const name = /my name is (\w+)/i.exec(messages.map(({ content }) => content).join('\n'))?.[1];
  if (name && /what is my name/i.test(asked)) return { words: ['Your name', ` is ${name}.`] };
  return { words: ['Good.'] };
}

function* numbers(): Generator<string> {
  for (let number = 1; ; number++) yield `${number} `;
}
