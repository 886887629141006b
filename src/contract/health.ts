import './no-eval';
import * as z from 'zod';
import { state } from './define';
import { ServerId } from './ids';
import { ServerState } from './mcp';
import { ServerReason } from './server-reasons';

export const ServerHealth = z.object({
  serverId: ServerId,
  name: z.string(),
  state: ServerState,
  /** Newest last; at most 120 points, milliseconds each. */
  responseTimes: z.array(z.object({ at: z.number(), ms: z.number() })),
  p50: z.number().nullable(),
  p95: z.number().nullable(),
  calls: z.number().int(),
  /** 0 to 1; null before the first call. */
  successRate: z.number().nullable(),
  errors: z.array(z.object({ at: z.number(), reason: ServerReason })),
  lastSuccess: z.number().nullable(),
  upSince: z.number().nullable(),
  restarts: z.number().int(),
});
export type ServerHealth = z.infer<typeof ServerHealth>;

export const HealthReport = z.object({
  servers: z.array(ServerHealth),
  /** One number a minute, newest last, at most 60. */
  callsPerMinute: z.array(z.number().int()),
  slowestTools: z.array(
    z.object({ server: z.string(), tool: z.string(), p95: z.number(), calls: z.number().int() }),
  ),
  providers: z.array(
    z.object({
      provider: z.string(),
      runs: z.number().int(),
      firstByteMs: z.number().nullable(),
      tokensPerSecond: z.number().nullable(),
      failures: z.number().int(),
    }),
  ),
});
export type HealthReport = z.infer<typeof HealthReport>;

export const healthOperations = {
  'health.report': state(z.object({}), HealthReport),
} as const;
