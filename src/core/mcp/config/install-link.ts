import type { ServerDraft } from '../../../contract/mcp';
import { type LeftOut, nothingAround, readForeignEntry } from './foreign-entry';

const longest = 64 * 1024;

/** What a link may say of a server: what is run or called. What it may do without asking, nobody but the person says. */
const told = [
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
  const given = configIn(text);
  if (given === null || 'kind' in given) return given;
  const config = parsed(given.config);
  if (typeof config !== 'object' || config === null || Array.isArray(config))
    return wrong('The link does not hold the configuration of one server.');
  const raw = config as Record<string, unknown>;
  const name = given.name ?? (typeof raw.name === 'string' ? raw.name : '');
  const read = readForeignEntry(name.trim() || 'server', raw, nothingAround);
  if (read.kind === 'wrong') return wrong(`The link: ${read.message}`);
  const said = Object.entries(read.draft).filter(([key]) => key !== 'name');
  const kept = Object.fromEntries(said.filter(([key]) => told.includes(key as never)));
  const leftOut = said
    .filter(([key]) => !(key in kept))
    .map(([what]) => ({ what, reason: 'A link does not decide this; you do.' }));
  return {
    kind: 'server',
    draft: { ...kept, name: read.draft.name },
    leftOut: [...read.leftOut, ...leftOut],
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
