import { LOG_LEVEL_META_KEY } from '@modelcontextprotocol/client';
import { z } from 'zod';
import type { LogLevel } from '../../../contract/mcp';
import { limits } from './limits';
import type { Session } from './session';

/** How much a server is to tell. In the newer era the level goes with each request; in the older one the server keeps it. */
export function createLogLevel(
  { client, era, offers }: Pick<Session, 'client' | 'era' | 'offers'>,
  first: LogLevel,
): { meta: Session['meta']; tell(): Promise<void>; set(level: LogLevel): Promise<void> } {
  let level = first;

  async function tell(): Promise<void> {
    if (offers.logging === undefined) return;
    const question = { method: 'logging/setLevel', params: { level } };
    await client.request(question, z.unknown(), { timeout: limits.requestMs });
  }

  return {
    meta: () =>
      era === 'modern' && offers.logging !== undefined ? { _meta: { [LOG_LEVEL_META_KEY]: level } } : {},
    tell,
    async set(next) {
      level = next;
      if (era === 'legacy') await tell();
    },
  };
}
