import './no-eval';
import * as z from 'zod';

const at = z.string();

/** Why a tool that a server offers cannot be used. `at`: where in its description, or in its schema. */
export const RejectedTool = z.object({
  /** Null: it has no name, or it is not one tool that is meant. */
  tool: z.string().nullable(),
  /** Which one of the list it is, from 1. */
  number: z.number().int(),
  reason: z.discriminatedUnion('code', [
    z.object({
      code: z.literal('schema-size'),
      what: z.enum(['levels', 'parts', 'characters']),
      most: z.number().int(),
    }),
    /** It holds what JSON cannot; `fault` says what. */
    z.object({ code: z.literal('no-json'), fault: z.string() }),
    /** Something of it is not as a tool has to be; `text` in the words of the library that checks it. */
    z.object({ code: z.literal('form'), at, text: z.string() }),
    z.object({ code: z.literal('schema-type') }),
    z.object({ code: z.literal('header-place'), at }),
    z.object({ code: z.literal('header-name'), at }),
    z.object({ code: z.literal('header-type'), at }),
    z.object({ code: z.literal('header-twice'), at, header: z.string() }),
    z.object({ code: z.literal('name-twice') }),
    /** The list was cut after so many, and what would have come is not there. */
    z.object({ code: z.literal('list-cut'), count: z.number().int() }),
  ]),
});
export type RejectedTool = z.infer<typeof RejectedTool>;
