import { createHash, randomBytes } from 'node:crypto';
import { AppError } from '../../contract/errors';
import { anySignal, type Inert, inertTo, type Log, orCancelled } from '../foundation';
import type { CatalogTool, Mcp } from '../mcp';
import { type ReadSource, runAlone, type Tools, type ViewRead } from '../tools';
import { type ViewPolicy, viewPolicy } from './content-policy';
import { guardedPage } from './guarded-page';
import { pageHeaders } from './page-headers';
import { createRecentResults } from './recent-results';
import type { Views } from './views';

interface Open {
  readonly id: string;
  readonly origin: string;
  readonly tool: CatalogTool;
  readonly path: string | null;
  readonly page: Uint8Array<ArrayBuffer>;
  readonly policy: ViewPolicy;
  readonly closed: AbortController;
  openRequests: number;
  words: Inert | null;
}

/** Calls and reads of one view at a time. */
const mostRequests = 8;
const mostOpen = 64;
/** Characters of what a view has for the next question. */
const longest = { words: 32_000, name: 300 };

/** Long, since it is one list of what a view may ask, all of it of the views that are open. */
export function createViews({
  mcp,
  tools,
  log,
  reads,
}: {
  mcp: Pick<Mcp, 'tools' | 'ready' | 'readView' | 'readResource' | 'resources' | 'prompts'>;
  tools: Pick<Tools, 'run' | 'readForView' | 'onCall' | 'sourceOf'>;
  log: Log;
  /** What stands in a note that is not the person's own word. */
  reads(path: string): Promise<readonly ReadSource[]>;
}): Views {
  const views = new Map<string, Open>();
  const recent = createRecentResults();
  const stopListening = tools.onCall(({ serverId, tool }, { arguments: args, outcome }) => {
    if (outcome.status !== 'ok' && outcome.status !== 'error') return;
    const entry = mcp.tools.get().find((one) => one.serverId === serverId && one.name === tool);
    if (entry?.viewUri !== undefined) recent.keep({ serverId, tool, arguments: args }, outcome);
  });

  function viewOf(id: string): Open {
    const view = views.get(id);
    if (!view) throw viewGone('This view is closed.');
    return view;
  }

  async function withinLimit<T>(view: Open, caller: AbortSignal, work: (signal: AbortSignal) => Promise<T>) {
    if (view.openRequests >= mostRequests) throw refused('The view asks for too much at once.');
    view.openRequests++;
    try {
      return await work(anySignal(caller, view.closed.signal));
    } finally {
      view.openRequests--;
    }
  }

  const reading = <T>(
    view: Open,
    caller: AbortSignal,
    what: Pick<ViewRead, 'method' | 'arguments'>,
    read: (serverId: string, signal: AbortSignal) => Promise<T>,
  ) =>
    withinLimit(view, caller, (signal) =>
      tools.readForView({ tool: view.tool, path: view.path, ...what }, () =>
        orCancelled(read(view.tool.serverId, signal), signal),
      ),
    );

  return {
    async *open({ serverId, tool: name, path, call }, signal) {
      await mcp.ready(serverId, signal);
      const tool = mcp.tools.get().find((one) => one.serverId === serverId && one.name === name);
      if (tool?.viewUri === undefined) throw viewGone(`“${name}” brings no view.`);
      if (views.size >= mostOpen) throw refused('Too many views are open.');
      const { html, csp } = await mcp.readView(serverId, tool.viewUri, signal);
      const guarded = guardedPage(html);
      const view: Open = {
        id: randomBytes(32).toString('hex'),
        origin: originOf(tool),
        tool,
        path,
        page: new TextEncoder().encode(guarded.html),
        policy: viewPolicy(csp, guarded.scripts),
        closed: new AbortController(),
        openRequests: 0,
        words: null,
      };
      if (signal.aborted) return;
      views.set(view.id, view);
      log.info('view opened', { serverId, tool: name, bytes: view.page.length });
      try {
        const { serverName, title } = tool;
        yield {
          viewId: view.id,
          origin: view.origin,
          serverName,
          title,
          outcome: call && recent.find({ serverId, tool: name, ...call }),
          reaches: [...view.policy.reaches],
        };
        await aborted(signal);
      } finally {
        views.delete(view.id);
        view.closed.abort();
      }
    },
    async call(id, tool, args, caller) {
      const view = viewOf(id);
      return withinLimit(view, caller, async (signal) => {
        const { path } = view;
        const { serverId, serverName, name, account } = view.tool;
        // A page of a server is a text of others, and it was given what its call was.
        const toolSource = tools.sourceOf({ server: serverId, tool: name, arguments: {} });
        const own: ReadSource = {
          kind: 'view',
          name: serverName,
          tool: name,
          places: [],
          reads: ['untrusted'],
          account,
        };
        const read = [
          ...(path === null ? [] : await reads(path)),
          ...(toolSource ? [{ ...toolSource, account }] : []),
          own,
        ];
        const context = { read, beside: [] };
        return runAlone(tools, { path, by: 'app', serverId, tool, arguments: args, context }, signal);
      });
    },
    async read(id, uri, caller) {
      const view = viewOf(id);
      return reading(view, caller, { method: 'resources/read', arguments: { uri } }, (serverId, signal) =>
        mcp.readResource(serverId, uri, signal),
      );
    },
    async resources(id, caller) {
      const view = viewOf(id);
      return reading(view, caller, { method: 'resources/list', arguments: {} }, mcp.resources);
    },
    async prompts(id, caller) {
      const view = viewOf(id);
      return reading(view, caller, { method: 'prompts/list', arguments: {} }, mcp.prompts);
    },
    tell(id, text) {
      viewOf(id).words = text === '' ? null : inertTo(text, longest.words);
    },
    words: (path) =>
      [...views.values()].flatMap(({ path: ofNote, tool, words }) =>
        ofNote === path && words !== null
          ? [
              {
                serverName: inertTo(tool.serverName, longest.name),
                tool: inertTo(tool.name, longest.name),
                text: words,
              },
            ]
          : [],
      ),
    page(origin, id, framedBy) {
      const view = views.get(id);
      if (view?.origin !== origin) return null;
      return {
        bytes: view.page,
        headers: pageHeaders(view.policy, framedBy),
      };
    },
    close: stopListening,
  };
}

/** One origin a server: what its views keep there is for none but them, and gone when another program takes its place. */
function originOf({ serverId, origin }: CatalogTool): string {
  return `v${createHash('sha256')
    .update(JSON.stringify([serverId, origin]))
    .digest('hex')
    .slice(0, 32)}`;
}

const viewGone = (message: string) => new AppError('view.gone', message, {});
const refused = (reason: string) => new AppError('view.refused', reason, { reason });

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
