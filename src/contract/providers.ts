import './no-eval';
import * as z from 'zod';
import { call, state, stream } from './define';
import { ProviderFailure } from './errors';
import { ProviderId } from './ids';
import { JsonObject } from './json';
import { dataErrors, secretErrors } from './operation-errors';
import { ProviderProblem } from './provider-findings';

export const WireFormat = z.enum([
  'openai-chat',
  'openai-responses',
  'anthropic-messages',
  'gemini-generateContent',
  'ollama-chat',
  'demo',
]);
export type WireFormat = z.infer<typeof WireFormat>;

/** A row of the vendor table, as a screen shows it. */
export const Vendor = z.object({
  id: z.string(),
  label: z.string(),
  formats: z.array(WireFormat),
  baseUrls: z.array(z.object({ label: z.string(), url: z.string() })),
  /** Whether `baseUrls` say where it is, are the usual places on a computer, or only show what one looks like. */
  address: z.enum(['known', 'local', 'own']),
  needsKey: z.boolean(),
  keyVariables: z.array(z.string()),
  keyPage: z.string().nullable(),
  defaultModel: z.string().nullable(),
  models: z.array(z.string()),
  /** Whether it has a search of the web of its own. */
  webSearch: z.boolean(),
  /** Whether it searches where chat completions are insisted on, too. */
  searchesInChat: z.boolean().optional(),
});
export type Vendor = z.infer<typeof Vendor>;

/** The tag that a vendor's model gets where nobody says another. */
export const vendorTag = ({ id, label }: Pick<Vendor, 'id' | 'label'>): string =>
  label.replace(/[^\p{L}\p{N}_-]/gu, '') || id;

/** As notes are read: letters of any script, digits, emoji, `_`, `-` and `/`; not digits alone. */
export const tagName =
  /^(?=.*\P{Nd})(?:[\p{L}\p{M}\p{N}_\-/\p{Extended_Pictographic}\p{Regional_Indicator}\p{Emoji_Modifier}]|\u200D|\uFE0F|\u20E3)+$/u;

/** A provider as configured. `tag` is the assistant tag that it answers under. */
export const ProviderConfig = z.object({
  id: ProviderId,
  vendor: z.string(),
  tag: z.string().regex(tagName),
  model: z.string(),
  format: WireFormat.optional(),
  baseUrl: z.string().optional(),
  /** Azure's classic address needs one. */
  apiVersion: z.string().optional(),
  temperature: z.number().optional(),
  maxTokens: z.number().int().positive().optional(),
  reasoningEffort: z.enum(['none', 'low', 'medium', 'high']).optional(),
  /** Tokens that a model on a machine of one's own is given at most: more takes more memory. */
  contextSize: z.number().int().min(1_024).optional(),
  /** The vendor's own search of the web, where it has one. */
  webSearch: z.boolean().optional(),
  /** False: the answer is asked for whole, and comes once it is complete. */
  stream: z.boolean().optional(),
  /** Merged into the request body last: overrides everything but the conversation. */
  parameters: JsonObject.optional(),
});
export type ProviderConfig = z.infer<typeof ProviderConfig>;

/** The one that is no model and always there. */
export const demoProvider: ProviderConfig = { id: 'demo', vendor: 'demo', tag: 'Demo', model: 'demo' };

/** What the app itself calls models: by their vendors, be they chosen in the form, named by the command line or found here. */
export const givenTags = (vendors: readonly Pick<Vendor, 'id' | 'label'>[]): string[] => [
  demoProvider.tag,
  ...vendors.map(vendorTag),
];

export const ProviderEntry = ProviderConfig.extend({
  tag: z.string(),
  label: z.string(),
  key: z.enum(['stored', 'environment', 'missing', 'not-needed']),
  /** Whether the vendor refused the key that it has, when it was last sent. */
  keyRefused: z.boolean(),
  isDefault: z.boolean(),
  /** What its tag means instead, or that notes cannot name it, so that it cannot answer under it; null: it can. */
  tagTaken: z.enum(['newChat', 'user', 'system', 'model', 'unreadable']).nullable(),
});
export type ProviderEntry = z.infer<typeof ProviderEntry>;

export const ProviderCheck = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('ok'), ms: z.number(), models: z.array(z.string()) }),
  ProviderProblem.extend({ kind: z.literal('failed'), failure: ProviderFailure }),
]);
export type ProviderCheck = z.infer<typeof ProviderCheck>;

/** Whether a model of Ollama is called as those are that make vectors of texts and cannot chat. */
export const hasEmbeddingName = (model: string): boolean =>
  /embed|minilm|\bbge\b|rerank|\be5\b|\bgte\b/i.test(model);

/** US dollars for a million tokens. */
export const Price = z.object({
  input: z.number().nonnegative(),
  output: z.number().nonnegative(),
  cachedInput: z.number().nonnegative().optional(),
  /** What is put into the cache; left out: a quarter more than input. */
  cacheWrite: z.number().nonnegative().optional(),
});
export type Price = z.infer<typeof Price>;

export const PriceList = z.object({
  /** When the list that comes with the app was gathered. */
  date: z.string(),
  /** `own`: set by the person, over what the list says. */
  prices: z.array(Price.extend({ vendor: z.string(), model: z.string(), own: z.boolean() })),
});
export type PriceList = z.infer<typeof PriceList>;

export const UsageTotal = z.object({
  /** A day as `2026-11-22`, a note's path, or a model with its vendor. */
  name: z.string(),
  answers: z.number().int(),
  inputTokens: z.number().int(),
  outputTokens: z.number().int(),
  cachedInputTokens: z.number().int(),
  /** Dollars, of the answers whose price is known. */
  cost: z.number(),
  /** Answers without a known price. */
  unpriced: z.number().int(),
});
export type UsageTotal = z.infer<typeof UsageTotal>;

export const providersOperations = {
  'providers.vendors': call(z.object({}), z.array(Vendor)),
  'providers.list': state(z.object({}), z.array(ProviderEntry)),
  /**
   * A `key` goes to the secret store and never comes back. `seen`: the provider that it replaces; `settings.changed`
   * where that is another by now.
   */
  'providers.save': call(
    z.object({
      provider: ProviderConfig.partial({ id: true }),
      key: z.string().optional(),
      seen: ProviderConfig.extend({ tag: z.string() }).optional(),
    }),
    z.object({ providerId: ProviderId }),
    [...secretErrors, 'provider.unknown', 'settings.changed', 'settings.invalid', 'settings.tag-taken'],
  ),
  'providers.remove': call(z.object({ providerId: ProviderId }), z.void(), [
    ...secretErrors,
    'provider.unknown',
  ]),
  'providers.setDefault': call(z.object({ providerId: ProviderId }), z.void(), [
    ...dataErrors,
    'provider.unknown',
  ]),
  /** Lists the models with the key given, or the stored one. */
  'providers.check': call(
    z.object({ provider: ProviderConfig.partial({ id: true }), key: z.string().optional() }),
    ProviderCheck,
    ['provider.unknown', 'provider.failed', 'secrets.unavailable'],
  ),
  /** The models on offer, as last listed; listed anew if asked to, or after a day. `problem` says why that failed. */
  'providers.models': call(
    z.object({
      provider: ProviderConfig.partial({ id: true }),
      key: z.string().optional(),
      refresh: z.boolean().default(false),
    }),
    z.object({
      models: z.array(z.string()),
      listedAt: z.number().nullable(),
      problem: ProviderProblem.nullable(),
    }),
    ['provider.unknown', 'provider.failed', 'secrets.unavailable'],
  ),
  /** Has Ollama fetch a model. Leaving the stream stops it. */
  'providers.pull': stream(
    z.object({ provider: ProviderConfig.partial({ id: true }), model: z.string().min(1) }),
    z.object({ status: z.string(), completed: z.number().nullable(), total: z.number().nullable() }),
    ['provider.unknown', 'provider.failed', 'secrets.unavailable'],
  ),
  'providers.prices': state(z.object({}), PriceList),
  /** Null takes the person's own price away. `seen`: their own price that it replaces, null for none. */
  'providers.setPrice': call(
    z.object({
      vendor: z.string(),
      model: z.string().min(1),
      price: Price.nullable(),
      seen: Price.nullable().optional(),
    }),
    z.void(),
    [...dataErrors, 'settings.changed'],
  ),
  /** What answers used, newest or largest first. */
  'providers.usage': call(
    z.object({ by: z.enum(['day', 'note', 'model']), since: z.number().optional() }),
    z.array(UsageTotal),
    dataErrors,
  ),
} as const;
