import './no-eval';
import * as z from 'zod';
import { call, picture } from './define';

import { NotePath } from './ids';

export const Agent = z.object({
  name: z.string(),
  path: NotePath,
  /** What it answers under; null: that tag means something else, so that nobody can ask it. */
  tag: z.string().nullable(),
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

/** What Obsidian's TARS has set up in the vault that is open; keys are only counted. */
export const TarsFound = z.object({
  providers: z.array(
    z.object({ tag: z.string(), vendor: z.string(), model: z.string(), hasKey: z.boolean() }),
  ),
  tags: z.object({ newChat: z.array(z.string()), user: z.array(z.string()), system: z.array(z.string()) }),
  prompts: z.array(z.string()),
  /** What can't be taken over, and why. */
  skipped: z.array(z.string()),
});
export type TarsFound = z.infer<typeof TarsFound>;

export const agentsOperations = {
  'agents.list': picture(z.object({}), z.array(Agent)),
  'agents.prompts': picture(z.object({}), z.array(Prompt)),
  /** The template as text, for the note. */
  'agents.fillPrompt': call(
    z.object({
      path: NotePath,
      selection: z.string(),
      note: NotePath.nullable(),
      arguments: z.record(z.string(), z.string()),
    }),
    z.object({ text: z.string() }),
  ),
  /** Null where the vault has no settings of TARS. */
  'agents.findTars': call(z.object({}), TarsFound.nullable()),
  /** Takes over what `agents.findTars` lists: keys into the secret store, templates into `.interlinear/prompts/`. */
  'agents.importTars': call(z.object({}), TarsFound),
} as const;
