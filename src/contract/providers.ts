import * as z from 'zod';
import { call, picture } from './define';
import { ProviderFailure } from './errors';
import { ProviderId } from './ids';

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
  needsKey: z.boolean(),
  keyVariables: z.array(z.string()),
  keyPage: z.string().nullable(),
  defaultModel: z.string().nullable(),
  models: z.array(z.string()),
});
export type Vendor = z.infer<typeof Vendor>;

/** A provider as configured. `tag` is the assistant tag that it answers under. */
export const ProviderConfig = z.object({
  id: ProviderId,
  vendor: z.string(),
  tag: z.string().regex(/^[\p{L}\p{N}\p{Emoji}_\-/]+$/u),
  model: z.string(),
  format: WireFormat.optional(),
  baseUrl: z.string().optional(),
  /** Azure's classic address needs one. */
  apiVersion: z.string().optional(),
  temperature: z.number().optional(),
  maxTokens: z.number().int().positive().optional(),
  reasoningEffort: z.enum(['none', 'low', 'medium', 'high']).optional(),
  /** Merged into the request body last: overrides everything. */
  parameters: z.record(z.string(), z.json()).optional(),
});
export type ProviderConfig = z.infer<typeof ProviderConfig>;

export const ProviderPicture = ProviderConfig.extend({
  label: z.string(),
  key: z.enum(['stored', 'environment', 'missing', 'not-needed']),
  isDefault: z.boolean(),
});
export type ProviderPicture = z.infer<typeof ProviderPicture>;

export const ProviderCheck = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('ok'), ms: z.number(), models: z.array(z.string()) }),
  z.object({ kind: z.literal('failed'), failure: ProviderFailure, message: z.string(), next: z.string() }),
]);
export type ProviderCheck = z.infer<typeof ProviderCheck>;

export const providersOperations = {
  'providers.vendors': call(z.object({}), z.array(Vendor)),
  'providers.list': picture(z.object({}), z.array(ProviderPicture)),
  /** A `key` goes to the secret store and never comes back. */
  'providers.save': call(
    z.object({ provider: ProviderConfig.partial({ id: true }), key: z.string().optional() }),
    z.object({ providerId: ProviderId }),
  ),
  'providers.remove': call(z.object({ providerId: ProviderId }), z.void()),
  'providers.setDefault': call(z.object({ providerId: ProviderId }), z.void()),
  /** Lists the models with the key given, or the stored one. */
  'providers.check': call(
    z.object({ provider: ProviderConfig.partial({ id: true }), key: z.string().optional() }),
    ProviderCheck,
  ),
} as const;
