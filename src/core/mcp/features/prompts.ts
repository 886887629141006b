import { z } from 'zod';
import type { PromptEntry, PromptTurns } from '../../../contract/mcp';
import { mostWords } from '../fence/listed-words';
import { MalformedResult, readKnownPart } from './call-result';

const text = z.string().optional().catch(undefined);
const Prompt = z.looseObject({
  name: z.string().min(1).max(mostWords.name),
  title: text,
  description: text,
  arguments: z
    .array(
      z.looseObject({
        name: z.string().max(mostWords.name),
        title: text,
        description: text,
        required: z.boolean().optional(),
      }),
    )
    .optional()
    .catch(undefined),
});
const Turns = z.looseObject({
  description: text,
  messages: z.array(
    z.looseObject({ role: z.enum(['user', 'assistant']).catch('user'), content: z.unknown() }),
  ),
});
const Completion = z.looseObject({ completion: z.looseObject({ values: z.array(z.string()) }) });

export const readPrompts = (items: readonly unknown[]): PromptEntry[] =>
  items.flatMap((item) => {
    const { success, data } = Prompt.safeParse(item);
    if (!success) return [];
    const { name, title = name, description = '', arguments: args = [] } = data;
    return [
      {
        name,
        title,
        description,
        arguments: args.map((arg) => ({
          name: arg.name,
          title: arg.title ?? arg.name,
          description: arg.description ?? '',
          required: arg.required ?? false,
        })),
      },
    ];
  });

/** Throws `MalformedResult`. */
export function readTurns(raw: unknown): PromptTurns {
  const { success, data, error } = Turns.safeParse(raw);
  if (!success) throw new MalformedResult([`“${error.issues[0]?.path.join('.')}” is missing or wrong`]);
  return {
    description: data.description ?? '',
    turns: data.messages.map(({ role, content }) => ({
      role,
      parts: (Array.isArray(content) ? content : [content]).map(readKnownPart),
    })),
  };
}

export function readCompletion(raw: unknown): string[] {
  const { success, data } = Completion.safeParse(raw);
  // A cut suggestion would be another one.
  const values = success ? data.completion.values.slice(0, 100) : [];
  return values.filter((value) => value.length <= mostWords.name);
}
