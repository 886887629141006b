import './no-eval';
import * as z from 'zod';
import { call, list, state, stream } from './define';
import { CallId, NotePath, ServerId } from './ids';
import { dataErrors } from './operation-errors';
import { Caller, CallStatus } from './tools';

export const HistoryEntry = z.object({
  /** Its place in the order of writing. */
  id: z.number().int(),
  callId: CallId,
  at: z.number(),
  by: Caller,
  serverId: ServerId,
  serverName: z.string(),
  tool: z.string(),
  path: NotePath.nullable(),
  /** JSON text, cut at 4 KiB. */
  arguments: z.string(),
  status: CallStatus,
  ms: z.number(),
  resultBytes: z.number(),
  cached: z.boolean(),
  /** How it came to be allowed; for a call that was denied, by what. */
  approval: z.string(),
  /** For a call that the person denied: why, in their words. */
  error: z.string().nullable(),
});
export type HistoryEntry = z.infer<typeof HistoryEntry>;

/** Everything that is named has to hold. */
export const HistoryFilter = z.object({
  serverId: ServerId.optional(),
  tool: z.string().optional(),
  status: CallStatus.optional(),
  path: NotePath.optional(),
  by: Caller.optional(),
  /** Each of them is in the arguments, the tool's name, the server's or the error; upper and lower case are one. */
  words: z.string().max(500).optional(),
  /** Milliseconds since 1970; `before` is not in it. */
  since: z.number().optional(),
  before: z.number().optional(),
});
export type HistoryFilter = z.infer<typeof HistoryFilter>;

export const HistoryOverview = z.object({
  total: z.number().int(),
  /** What the bars cover: what was asked for, or from the first call to the last. */
  from: z.number(),
  step: z.number(),
  bars: z.array(z.object({ calls: z.number().int(), failed: z.number().int() })),
});
export type HistoryOverview = z.infer<typeof HistoryOverview>;

export const HistoryFacets = z.object({
  servers: z.array(z.object({ id: ServerId, name: z.string(), calls: z.number().int() })),
  tools: z.array(z.object({ serverId: ServerId, name: z.string(), calls: z.number().int() })),
  paths: z.array(z.object({ path: NotePath, calls: z.number().int() })),
});
export type HistoryFacets = z.infer<typeof HistoryFacets>;

export const historyOperations = {
  /** Newest first, a page at a time: `after` is the last one of the page before. */
  'history.find': list(
    HistoryFilter.extend({
      after: z.object({ at: z.number(), id: z.number().int() }).optional(),
      limit: z.number().int().min(1).max(500).default(100),
    }),
    z.array(HistoryEntry),
    dataErrors,
  ),
  'history.overview': call(
    HistoryFilter.extend({ bars: z.number().int().min(1).max(400).default(80) }),
    HistoryOverview,
    dataErrors,
  ),
  /** What there is to filter by; the notes with the most calls only. */
  'history.facets': list(z.object({}), HistoryFacets, dataErrors),
  /** A file, piece by piece. */
  'history.export': stream(HistoryFilter.extend({ format: z.enum(['json', 'csv']) }), z.string(), dataErrors),
  /** Forgets what fits the filter, without one everything; what is allowed stays. */
  'history.clear': call(HistoryFilter, z.object({ removed: z.number().int() }), dataErrors),
  /** Another number whenever the history is another one. */
  'history.changes': state(z.object({}), z.object({ version: z.number().int() })),
} as const;
