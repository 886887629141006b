import './no-eval';
import * as z from 'zod';
import { call, state } from './define';
import { JsonObject } from './json';
import { dataErrors } from './operation-errors';
import { Price, ProviderConfig } from './providers';

/** The tags that mean something other than who answers. */
export const tagRoles = ['newChat', 'user', 'system'] as const;
export const TagMeaning = z.enum([...tagRoles, 'model']);
export type TagMeaning = z.infer<typeof TagMeaning>;

export const Settings = z.object({
  version: z.literal(1).default(1),
  theme: z.enum(['system', 'light', 'dark']).default('system'),
  language: z.enum(['system', 'en', 'zh']).default('system'),
  /** Pixels. */
  fontSize: z.number().int().min(10).max(32).default(16),
  recentVaults: z.array(z.string()).default([]),
  /** What an older app took for a tag stays and is shown with its reason. */
  providers: z.array(ProviderConfig.extend({ tag: z.string().min(1) })).default([]),
  /** A person's own prices, by vendor and model. */
  prices: z.record(z.string(), z.record(z.string(), Price)).default({}),
  defaultProvider: z.string().nullable().default(null),
  tags: z
    .object({
      newChat: z.array(z.string()).default(['NewChat', '新对话']),
      user: z.array(z.string()).default(['User', '我']),
      system: z.array(z.string()).default(['System', '系统']),
    })
    .prefault({}),
  /** Under which models and agents have answered: what they said stays theirs when they are gone. */
  formerTags: z.array(z.string()).default([]),
  chat: z
    .object({
      systemPrompt: z.string().default(''),
      attachmentsFolder: z.string().default('attachments'),
      /** Characters of a linked note that are sent. */
      expandLimit: z.number().int().min(0).default(50_000),
      showReasoning: z.boolean().default(true),
    })
    .prefault({}),
  tools: z
    .object({
      /** Milliseconds; a tool's and a server's own go before it. */
      timeout: z.number().int().min(100).default(30_000),
      concurrency: z.number().int().min(1).max(64).default(3),
      /** −1: no limit. */
      callsPerNote: z.number().int().min(-1).default(25),
      rounds: z.number().int().min(1).max(200).default(10),
      approval: z.enum(['ask', 'allow', 'deny']).default('ask'),
      /** Percent of what a model takes that definitions of tools may fill; above that tools are searched for. 100: never. */
      searchShare: z.number().min(0).max(100).default(5),
      /** Bytes a result may take in the note and in a request. */
      resultLimit: z.number().int().min(256).default(16_384),
      cache: z.enum(['reuse', 'ask', 'run']).default('reuse'),
      /** Milliseconds a cached result stays good. */
      cacheMaxAge: z.number().int().min(0).default(3_600_000),
    })
    .prefault({}),
  /** How closely servers are watched; a server's own settings go before these. */
  servers: z
    .object({
      monitoring: z.boolean().default(true),
      /** Milliseconds. */
      checkInterval: z.number().int().min(1_000).default(30_000),
      /** How often in a row a server is started again by itself. */
      restarts: z.number().int().min(0).max(100).default(5),
    })
    .prefault({}),
  network: z
    .object({
      /** A file with certificates (PEM) to trust besides the usual ones, as a company's proxy needs; empty: none. */
      caFile: z.string().default(''),
    })
    .prefault({}),
  /** Versions of notes that are kept on this machine. */
  versions: z
    .object({
      keep: z.boolean().default(true),
      /** For each vault. */
      megabytes: z.number().int().min(5).max(100_000).default(200),
      days: z.number().int().min(1).max(3_650).default(90),
      /** Milliseconds between two versions while somebody types. */
      interval: z.number().int().min(1_000).default(60_000),
    })
    .prefault({}),
  providerIdleTimeout: z.number().int().min(1_000).default(120_000),
});
export type Settings = z.infer<typeof Settings>;

export const settingsOperations = {
  'settings.current': state(z.object({}), Settings),
  /** What is wrong by now with settings that were good; in the form of `settings.invalid`. */
  'settings.troubles': call(z.object({}), z.array(z.string())),
  /**
   * Top-level groups are merged one level deep; the rest is replaced. `seen`: what the changes replace, in their form;
   * `settings.changed` where it is something else by now.
   */
  'settings.change': call(
    z.object({
      changes: JsonObject,
      seen: JsonObject.optional(),
    }),
    Settings,
    [...dataErrors, 'settings.changed', 'settings.invalid', 'settings.tag-taken'],
  ),
} as const;
