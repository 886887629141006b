import type { ServerHealth } from '../../../contract/health';

/** Whether a server is up and has come up or answered since it last failed. */
export function isMended({
  errors,
  lastSuccess,
  upSince,
}: Pick<ServerHealth, 'errors' | 'lastSuccess' | 'upSince'>): boolean {
  const failedAt = errors.at(-1)?.at ?? 0;
  return upSince !== null && Math.max(upSince, lastSuccess ?? 0) > failedAt;
}
