import * as z from 'zod';
import { picture } from './define';
import { NotePath } from './ids';

export const Agent = z.object({
  name: z.string(),
  path: NotePath,
  provider: z.string().nullable(),
  model: z.string().nullable(),
  /** Globs of `server` or `server/tool`; null: all. */
  tools: z.array(z.string()).nullable(),
  problem: z.string().nullable(),
});
export type Agent = z.infer<typeof Agent>;

export const agentsOperations = {
  'agents.list': picture(z.object({}), z.array(Agent)),
} as const;
