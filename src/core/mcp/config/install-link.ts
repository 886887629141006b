import type { ServerDraft } from '../../../contract/mcp';
import { type LeftOut, nothingAround, readForeignEntry } from './foreign-entry';

const longest = 64 * 1024;

/** What a link may say of a server: what is run or called. What it may do without asking, nobody but the person says. */
const linkKeys = [
  'command',
  'args',
  'env',
  'cwd',
  'url',
  'headers',
  'transport',
  'timeout',
  'initTimeout',
] as const;

export type LinkRead =
  | { readonly kind: 'server'; readonly draft: ServerDraft; readonly leftOut: readonly LeftOut[] }
  | { readonly kind: 'wrong'; readonly hint: string };

/**
 * Links with which pages offer a server: ours, VS Code's and Cursor's. Null: it is no such link. Only ever read, so
 * that a form can show it; nothing is started or fetched because of one.
 */
export function readInstallLink(text: string): LinkRead | null {
  const payload = configIn(text);
  if (payload === null || 'kind' in payload) return payload;
  const config = parsed(payload.config);
  if (typeof config !== 'object' || config === null || Array.isArray(config))
    return wrong('The link does not hold the configuration of one server.');
  const raw = config as Record<string, unknown>;
  const name = payload.name ?? (typeof raw.name === 'string' ? raw.name : '');
  const result = readForeignEntry(name.trim() || 'server', raw, nothingAround);
  if (result.kind === 'wrong') return wrong(`The link: ${result.message}`);
  const entries = Object.entries(result.draft).filter(([key]) => key !== 'name');
  const draft = Object.fromEntries(entries.filter(([key]) => linkKeys.includes(key as never)));
  const leftOut = entries
    .filter(([key]) => !(key in draft))
    .map(([what]) => ({ what, reason: 'A link does not decide this; you do.' }));
  return {
    kind: 'server',
    draft: { ...draft, name: result.draft.name },
    leftOut: [...result.leftOut, ...leftOut],
  };
}

function configIn(text: string): { name: string | null; config: string } | LinkRead | null {
  const isVsCode = /^vscode(-insiders)?:(\/\/)?mcp\/install\?/i.exec(text);
  const isOther = /^(interlinear|cursor):/i.test(text);
  if (!isVsCode && !isOther) return null;
  if (text.length > longest) return wrong('This link is too long.');
  if (isVsCode) return { name: null, config: decoded(text.slice(isVsCode[0].length)) };
  const url = /^[a-z]+:\/\//i.test(text) && URL.canParse(text) ? new URL(text) : null;
  const place = url && `${url.protocol}//${url.host}${url.pathname.replace(/\/$/, '')}`.toLowerCase();
  if (place !== 'interlinear://server' && place !== 'cursor://anysphere.cursor-deeplink/mcp/install')
    return wrong('This link does not offer a server.');
  const [config, ...more] = url?.searchParams.getAll('config') ?? [];
  if (config === undefined || more.length > 0) return wrong('The link has to hold one “config”.');
  return { name: url?.searchParams.get('name') ?? null, config };
}

/** JSON, or JSON in base64 (also the form for addresses, where a blank was a plus). */
function parsed(config: string): unknown {
  const text = config.trim();
  try {
    if (text.startsWith('{')) return JSON.parse(text);
    const bytes = Buffer.from(text.replaceAll(' ', '+'), 'base64');
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return null;
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}

const wrong = (hint: string): LinkRead => ({ kind: 'wrong', hint });
