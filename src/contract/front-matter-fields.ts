/**
 * What another hand could do by a field of front matter: have less asked about, name who gets the conversation, spend money, have
 * something looked up outside, or offer tools that were not.
 */
export type PowerKind = 'asks-less' | 'who-answers' | 'spends' | 'searches' | 'offers-tools';

type Fields = Readonly<Record<string, { readonly power: PowerKind } | { readonly powerless: string }>>;

/**
 * Every field of front matter that the app reads, by the kind of note that it is read of. What gives power in a note holds as the
 * person typed it or agreed to it; what an agent's note says comes to a note with its `agent`.
 */
export const frontMatterFields = {
  note: {
    approval: { power: 'asks-less' },
    agent: { power: 'who-answers' },
    model: { power: 'who-answers' },
    max_tokens: { power: 'spends' },
    reasoning: { power: 'spends' },
    parameters: { power: 'spends' },
    web_search: { power: 'searches' },
    tools: { power: 'offers-tools' },
    temperature: { powerless: 'It chooses words, at the same price.' },
  },
  agent: {
    approval: { power: 'asks-less' },
    provider: { power: 'who-answers' },
    model: { power: 'who-answers' },
    max_tokens: { power: 'spends' },
    reasoning: { power: 'spends' },
    parameters: { power: 'spends' },
    web_search: { power: 'searches' },
    tools: { power: 'offers-tools' },
    servers: { power: 'offers-tools' },
    temperature: { powerless: 'It chooses words, at the same price.' },
    name: { powerless: 'What it may do is asked about under any name.' },
  },
  prompt: {
    name: { powerless: 'A prompt is text that a person sees before it is sent.' },
    description: { powerless: 'The same.' },
    arguments: { powerless: 'The same.' },
  },
  entity: {
    '*': { powerless: 'What an entity says is shown and found; no answer is asked for by it.' },
  },
} as const satisfies Readonly<Record<string, Fields>>;

type Of<Kind extends keyof typeof frontMatterFields> = (typeof frontMatterFields)[Kind];

export type NoteField = keyof Of<'note'>;
export type AgentField = keyof Of<'agent'>;
export type PromptField = keyof Of<'prompt'>;

/** The fields of a conversation's note that give power. */
export type PowerField = {
  [Field in NoteField]: Of<'note'>[Field] extends { readonly power: PowerKind } ? Field : never;
}[NoteField];

export const powerFields = Object.entries<Fields[string]>(frontMatterFields.note).flatMap(([field, what]) =>
  'power' in what ? [field as PowerField] : [],
);
