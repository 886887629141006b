import './no-eval';
import * as z from 'zod';
import { call, state } from './define';
import { NotePath } from './ids';
import { fileErrors, secretErrors, writeErrors } from './operation-errors';

export const Agent = z.object({
  name: z.string(),
  path: NotePath,
  /** What it answers under; null: that tag means something else, or it waits, so that nobody can ask it. */
  tag: z.string().nullable(),
  /** It waits until its folder is trusted, or until the person agrees to it as it is now. */
  waitsFor: z.enum(['trust', 'agreement']).optional(),
  provider: z.string().nullable(),
  model: z.string().nullable(),
  /** Globs of `server` or `server/tool`; null: all. */
  tools: z.array(z.string()).nullable(),
  problem: z.string().nullable(),
});
export type Agent = z.infer<typeof Agent>;

/** A prompt template: a note in `.interlinear/prompts/`. */
export const Prompt = z.object({
  name: z.string(),
  path: NotePath,
  description: z.string(),
  arguments: z.array(z.object({ name: z.string(), description: z.string() })),
  takesSelection: z.boolean(),
  template: z.string(),
});
export type Prompt = z.infer<typeof Prompt>;

/** What Obsidian's TARS has set up in the vault that is open, each by the id that it is chosen by. No key is in it. */
export const TarsFound = z.object({
  /** Of all that could be taken over, the keys included: what is taken over is what was seen. */
  seen: z.string(),
  providers: z.array(
    z.object({
      id: z.string(),
      tag: z.string(),
      vendor: z.string(),
      model: z.string(),
      /** Null: the vendor's own. */
      address: z.string().nullable(),
      hasKey: z.boolean(),
      /** Without a key of its own it is asked with the person's in one of these variables of the environment. */
      keyVariables: z.array(z.string()),
      /** All else that is set for it, as JSON; empty: nothing. */
      options: z.string(),
    }),
  ),
  /** Names for turns that are not here yet. */
  tags: z.object({ newChat: z.array(z.string()), user: z.array(z.string()), system: z.array(z.string()) }),
  prompts: z.array(z.object({ id: z.string(), title: z.string() })),
  limits: z.array(
    z.object({
      id: z.string(),
      limit: z.enum(['timeout', 'concurrency', 'callsPerNote']),
      ours: z.number(),
      theirs: z.number(),
    }),
  ),
  /** For every conversation, where there are none yet; empty: none. */
  instructions: z.string(),
  /** What can't be taken over, and why. */
  skipped: z.array(z.string()),
});
export type TarsFound = z.infer<typeof TarsFound>;

export const agentsOperations = {
  'agents.list': state(z.object({}), z.array(Agent)),
  'agents.prompts': state(z.object({}), z.array(Prompt)),
  /** The template as text, for the note. */
  'agents.fillPrompt': call(
    z.object({
      path: NotePath,
      selection: z.string(),
      note: NotePath.nullable(),
      arguments: z.record(z.string(), z.string()),
    }),
    z.object({ text: z.string() }),
    fileErrors,
  ),
  /** Null where the vault has no settings of TARS. */
  'agents.findTars': call(z.object({}), TarsFound.nullable(), fileErrors),
  /**
   * Takes over what is chosen of what `agents.findTars` lists (`tags` and `instructions` besides the ids): keys into the secret
   * store, templates into `.interlinear/prompts/`. The answer lists what was taken. `seen`: as it was listed; throws
   * `settings.changed` where it is another by now.
   */
  'agents.importTars': call(z.object({ seen: z.string(), chosen: z.array(z.string()) }), TarsFound, [
    ...writeErrors,
    ...secretErrors,
    'settings.changed',
    'settings.invalid',
    'settings.tag-taken',
  ]),
} as const;
