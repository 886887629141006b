import './no-eval';
import * as z from 'zod';

const of = <C extends string, S extends z.ZodRawShape>(code: C, values: S) =>
  z.object({ code: z.literal(code), ...values });
const label = z.string();
const address = z.string();
/** The provider's own words; null: it said nothing. */
const quote = z.string().nullable();
/** `isTyped`: the form that asks has the key in it. */
const key = { label, quote, keyPage: z.string().nullable(), isTyped: z.boolean() };

const finding = z.discriminatedUnion('code', [
  of('key-refused', key),
  /** `variables`: names of the environment that it may stand in. */
  of('key-missing', { ...key, variables: z.array(z.string()) }),
  of('no-credit', { label, quote }),
  of('rate-limited', { label, quote, seconds: z.number() }),
  of('overloaded', { label, quote, status: z.number().nullable() }),
  of('too-long', { label, model: z.string(), quote }),
  of('filtered', { label, quote }),
  of('no-model', { label, quote, model: z.string(), at: z.enum(['ollama', 'azure', 'other']) }),
  of('no-list', { address }),
  of('nothing-there', { label, address }),
  of('not-understood', { label, quote, status: z.number().nullable() }),
  of('list-broke-off', { label }),
  of('answer-broke-off', { label }),
  of('web-page', { label, address }),
  of('moved', { address, to: z.string() }),
  of('unreachable', {
    label,
    address,
    errno: z.string().nullable(),
    check: z.enum(['certificates', 'proxy', 'ollama', 'encryption', 'trust', 'server', 'network']),
  }),
  of('silent', { label, seconds: z.number() }),
  of('cancelled', {}),
  of('secret-in-address', { label, address }),
  of('no-address', {}),
  of('no-web-address', { address }),
]);
type Finding = z.infer<typeof finding>;

/** What is wrong with a provider, and so what a person can do about it. */
export type ProviderFinding = Finding | Extract<Finding, { code: 'cancelled' }>;
export const ProviderFinding: z.ZodType<ProviderFinding> = finding;

/** A finding with its English words: what happened, and what a person can do. */
export const ProviderProblem = z.object({
  finding: ProviderFinding.optional(),
  message: z.string(),
  next: z.string(),
});
export type ProviderProblem = z.infer<typeof ProviderProblem>;
