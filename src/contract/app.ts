import './no-eval';
import * as z from 'zod';
import { call, picture } from './define';

/** What the host that carries the core can do for a screen. */
export const HostInfo = z.object({
  kind: z.enum(['electron', 'node']),
  version: z.string(),
  platform: z.string(),
  canPickFolder: z.boolean(),
  /** Where keys are kept; `file` comes with a plain warning. */
  secretStore: z.enum(['system', 'file', 'memory']),
});
export type HostInfo = z.infer<typeof HostInfo>;

/** Something that happened without anybody asking; shown until dismissed. */
export const Notice = z.object({
  id: z.string(),
  level: z.enum(['info', 'warning', 'error']),
  title: z.string(),
  detail: z.string(),
  at: z.number(),
});
export type Notice = z.infer<typeof Notice>;

export const appOperations = {
  'app.info': call(z.object({}), HostInfo),
  /** Opens http, https and mailto addresses in the person's own browser; anything else is refused. */
  'app.openExternal': call(z.object({ url: z.string().max(8192) }), z.void()),
  /** The chosen folder's absolute path, or null if the person changed their mind. */
  'app.pickFolder': call(z.object({}), z.string().nullable()),
  'app.notices': picture(z.object({}), z.array(Notice)),
  'app.dismissNotice': call(z.object({ id: z.string() }), z.void()),
} as const;
