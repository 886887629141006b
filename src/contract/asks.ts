import './no-eval';
import * as z from 'zod';
import { ServerId } from './ids';
import { JsonObject } from './json';

/** What a server asks of the person. */
export const ServerAsk = z.object({
  id: z.string(),
  serverId: ServerId,
  serverName: z.string(),
  at: z.number(),
  ask: z.discriminatedUnion('kind', [
    /** A JSON Schema of a flat object. */
    z.object({ kind: z.literal('form'), message: z.string(), schema: JsonObject }),
    /** Never opened before the person agrees. */
    z.object({ kind: z.literal('url'), message: z.string(), url: z.string(), host: z.string() }),
    /** The server wants an answer of a model, at the person's cost. */
    z.object({
      kind: z.literal('sampling'),
      system: z.string(),
      messages: z.array(z.object({ role: z.enum(['user', 'assistant']), text: z.string() })),
      maxTokens: z.number(),
      hints: z.array(z.string()),
      /** The server's own tools: what the model calls goes back to it. */
      tools: z.array(
        z.object({
          name: z.string(),
          description: z.string(),
          inputSchema: JsonObject,
        }),
      ),
      toolChoice: z.enum(['auto', 'required', 'none']),
      /** Who would answer; null where no model is set up. */
      model: z.string().nullable(),
    }),
  ]),
});
export type ServerAsk = z.infer<typeof ServerAsk>;

export const AskAnswer = z.discriminatedUnion('action', [
  z.object({ action: z.literal('accept'), content: JsonObject.optional() }),
  z.object({ action: z.literal('decline') }),
  z.object({ action: z.literal('cancel') }),
]);
export type AskAnswer = z.infer<typeof AskAnswer>;
