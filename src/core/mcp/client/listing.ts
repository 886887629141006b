import { listAll } from '../features/lists';
import { readTools } from '../features/tool-list';
import type { Connection } from './connection';
import { limits } from './limits';
import { failureIn, type Session } from './session';

const most = { tools: 2_000, listed: 10_000 };

/** What a server lists, all pages of it. */
export function createListing(session: Session): Pick<Connection, 'listTools' | 'count' | 'list'> {
  const { client, era, offers } = session;
  const pages = (method: string, key: string, most: number, timeout: number) =>
    listAll(client, { method, key, most, timeout, meta: session.meta() });
  return {
    async listTools(timeoutMs) {
      if (!offers.tools) return { tools: [], rejected: [], ttlMs: null };
      const { items, endless, ttlMs } = await pages('tools/list', 'tools', most.tools, timeoutMs);
      const list = { ...readTools(items, era), ttlMs };
      if (!endless) return list;
      const reason = { code: 'list-cut' as const, count: items.length };
      return { ...list, rejected: [...list.rejected, { tool: null, number: items.length + 1, reason }] };
    },
    async count(what) {
      if (!offers[what]) return 0;
      const all = await pages(`${what}/list`, what, most.listed, limits.countMs).catch(() => null);
      return all?.items.length ?? null;
    },
    async list(what) {
      if (what === 'prompts' ? !offers.prompts : !offers.resources)
        return { items: [], endless: false, ttlMs: null };
      const key = what === 'resources/templates' ? 'resourceTemplates' : what;
      const [method, timeoutMs] = [`${what}/list`, limits.countMs];
      try {
        return await pages(method, key, most.listed, timeoutMs);
      } catch (error) {
        const { signal } = new AbortController();
        throw failureIn(session, error, { tool: method, timeoutMs, signal, isLate: false });
      }
    },
  };
}
