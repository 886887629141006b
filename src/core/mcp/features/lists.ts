import type { Client } from '@modelcontextprotocol/client';
import { z } from 'zod';
import { createWordsShare } from '../fence/listed-words';

const mostPages = 64;

/** All pages of a list, its words cut to what one would read. */
export interface Listed {
  readonly items: readonly unknown[];
  /** It had no end, or was too long, and was cut. */
  readonly endless: boolean;
  /** How long all of it may be taken for fresh (revision 2026-07-28); null: the server does not say. */
  readonly ttlMs: number | null;
}

export async function listAll(
  client: Client,
  { method, key, most, timeout, meta }: ListQuestion,
): Promise<Listed> {
  const Page = z.looseObject({ [key]: z.array(z.unknown()), nextCursor: z.unknown().optional() });
  const items: unknown[] = [];
  const take = createWordsShare();
  const cursors = new Set<string>();
  let ttlMs: number | null = null;
  let cursor: string | undefined;
  for (let page = 0; page < mostPages; page++) {
    const params = { ...(cursor !== undefined && { cursor }), ...meta };
    const result: Record<string, unknown> = await client.request({ method, params }, Page, { timeout });
    const ttl = ttlOf(result);
    if (ttl !== null) ttlMs = Math.min(ttl, ttlMs ?? ttl);
    for (const raw of result[key] as unknown[]) {
      if (items.length >= most) return { items, endless: true, ttlMs };
      const share = await take(raw);
      if (share === 'too much') return { items, endless: true, ttlMs };
      items.push(share.item);
    }
    const { nextCursor } = result;
    if (typeof nextCursor !== 'string') return { items, endless: false, ttlMs };
    if (cursors.has(nextCursor)) return { items, endless: true, ttlMs };
    cursors.add(nextCursor);
    cursor = nextCursor;
  }
  return { items, endless: true, ttlMs };
}

interface ListQuestion {
  readonly method: string;
  /** Where in a page the items stand. */
  readonly key: string;
  readonly most: number;
  readonly timeout: number;
  /** What goes with every request. */
  readonly meta: { readonly _meta?: Record<string, unknown> };
}

const dayMs = 24 * 60 * 60_000;

/** A server's hint; one that makes no sense counts as none, and none holds longer than a day. */
export function ttlOf(result: unknown): number | null {
  if (typeof result !== 'object' || result === null || !('ttlMs' in result)) return null;
  const { ttlMs } = result;
  return typeof ttlMs === 'number' && Number.isFinite(ttlMs) ? Math.min(dayMs, Math.max(0, ttlMs)) : null;
}

export const withoutTtl = (result: unknown): unknown =>
  typeof result === 'object' && result !== null ? { ...result, ttlMs: undefined } : result;
