import './no-eval';
import * as z from 'zod';

/**
 * Whose text it is: `private` what is nobody else's business, `untrusted` what others may have written. Both may be true of one
 * text.
 */
export const Reading = z.enum(['private', 'untrusted']);
export type Reading = z.infer<typeof Reading>;

/** What a tool brings into a conversation, and whether its arguments can carry something to somebody outside. */
export const ToolFlow = z.object({ reads: z.array(Reading), sends: z.boolean() });
export type ToolFlow = z.infer<typeof ToolFlow>;

/** What a server's entry says of its tools: by name, `*` for all others. What is left out stays as it is known. */
export const FlowRules = z.record(
  z.string(),
  z.object({
    ...ToolFlow.partial().shape,
    /** The beginning of the definition that it was said of; left out: of whatever is called so. */
    definition: z.string().min(12).optional(),
  }),
);
export type FlowRules = z.infer<typeof FlowRules>;

/** Something that stands in a conversation and is not the person's own word. */
export const FlowSource = z.object({
  /** `answer`: pages that an earlier answer quotes, which its provider may have read. */
  kind: z.enum(['note', 'file', 'tool', 'resource', 'instructions', 'prompt', 'view', 'search', 'answer']),
  /** A path, or what its server is called; empty where there is only one of its kind. */
  name: z.string(),
  /** Of a server: the tool or address. */
  tool: z.string().optional(),
  /** Hosts and paths that it was asked for. */
  places: z.array(z.string()),
  reads: z.array(Reading),
});
export type FlowSource = z.infer<typeof FlowSource>;
