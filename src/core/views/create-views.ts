import { createHash, randomBytes } from 'node:crypto';
import { AppError } from '../../contract/errors';
import { anySignal, type Log, orCancelled } from '../foundation';
import type { CatalogTool, Mcp } from '../mcp';
import { runAlone, type Tools } from '../tools';
import { type ViewPolicy, viewPolicy } from './content-policy';
import { guardedPage } from './guarded-page';
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
  underWay: number;
  words: string;
}

/** Everything that a browser could grant a page; a name that it does not know does nothing. */
const nothingAllowed =
  'accelerometer ambient-light-sensor aria-notify attribution-reporting autoplay battery bluetooth browsing-topics camera captured-surface-control clipboard-read clipboard-write compute-pressure cross-origin-isolated deferred-fetch deferred-fetch-minimal digital-credentials-create digital-credentials-get direct-sockets display-capture encrypted-media fullscreen gamepad geolocation gyroscope hid identity-credentials-get idle-detection join-ad-interest-group keyboard-lock keyboard-map language-detector language-model local-fonts local-network-access magnetometer microphone midi on-device-speech-recognition otp-credentials payment picture-in-picture pointer-lock private-aggregation private-state-token-issuance private-state-token-redemption publickey-credentials-create publickey-credentials-get run-ad-auction screen-wake-lock serial shared-storage shared-storage-select-url speaker-selection storage-access summarizer sync-xhr translator unload usb usb-unrestricted web-share window-management writer xr-spatial-tracking'
    .split(' ')
    .map((name) => `${name}=()`)
    .join(', ');

/** Calls and reads of one view at a time. */
const mostUnderWay = 8;
const mostOpen = 64;

export function createViews({
  mcp,
  tools,
  log,
}: {
  mcp: Pick<Mcp, 'tools' | 'ready' | 'readView' | 'readResource' | 'resources' | 'prompts'>;
  tools: Pick<Tools, 'run' | 'onCall'>;
  log: Log;
}): Views {
  const views = new Map<string, Open>();
  const recent = createRecentResults();
  const stopListening = tools.onCall(({ serverId, tool }, { arguments: args, outcome }) => {
    if (outcome.status !== 'ok' && outcome.status !== 'error') return;
    const entry = mcp.tools.get().find((one) => one.serverId === serverId && one.name === tool);
    if (entry?.viewUri !== undefined) recent.keep({ serverId, tool, arguments: args }, outcome);
  });

  function known(id: string): Open {
    const view = views.get(id);
    if (!view) throw gone('This view is closed.');
    return view;
  }

  async function underWay<T>(view: Open, caller: AbortSignal, work: (signal: AbortSignal) => Promise<T>) {
    if (view.underWay >= mostUnderWay) throw refused('The view asks for too much at once.');
    view.underWay++;
    try {
      return await work(anySignal(caller, view.closed.signal));
    } finally {
      view.underWay--;
    }
  }

  return {
    async *open({ serverId, tool: name, path, call }, signal) {
      await mcp.ready(serverId, signal);
      const tool = mcp.tools.get().find((one) => one.serverId === serverId && one.name === name);
      if (tool?.viewUri === undefined) throw gone(`“${name}” brings no view.`);
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
        underWay: 0,
        words: '',
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
      const view = known(id);
      return underWay(view, caller, (signal) =>
        runAlone(
          tools,
          { path: view.path, by: 'app', serverId: view.tool.serverId, tool, arguments: args },
          signal,
        ),
      );
    },
    async read(id, uri, caller) {
      const view = known(id);
      return underWay(view, caller, (signal) => mcp.readResource(view.tool.serverId, uri, signal));
    },
    async resources(id, caller) {
      const view = known(id);
      return underWay(view, caller, (signal) => orCancelled(mcp.resources(view.tool.serverId), signal));
    },
    async prompts(id, caller) {
      const view = known(id);
      return underWay(view, caller, (signal) => orCancelled(mcp.prompts(view.tool.serverId), signal));
    },
    tell(id, text) {
      known(id).words = text;
    },
    words: (path) =>
      [...views.values()]
        .filter((view) => view.path === path && view.words !== '')
        .map(({ tool, words }) => ({ serverName: tool.serverName, tool: tool.name, text: words })),
    page(origin, id, framedBy) {
      const view = views.get(id);
      if (view?.origin !== origin) return null;
      return {
        bytes: view.page,
        headers: {
          'content-type': 'text/html; charset=utf-8',
          'content-security-policy': [...view.policy.directives, `frame-ancestors ${framedBy}`].join('; '),
          'x-content-type-options': 'nosniff',
          'x-dns-prefetch-control': 'off',
          'referrer-policy': 'no-referrer',
          'cache-control': 'no-store',
          'permissions-policy': nothingAllowed,
        },
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

const gone = (message: string) => new AppError('view.gone', message, {});
const refused = (reason: string) => new AppError('view.refused', reason, { reason });

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
