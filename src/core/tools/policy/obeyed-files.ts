import { obeyedFiles, obeyedFolders, obeyedPaths } from '../../../files';
import type { CatalogTool } from '../../mcp';
import type { Arguments } from '../request/arguments';
import type { ToolCallRequest } from '../request/request';
import { flowOf } from './flow';
import { tableFlow } from './flow-table';

/**
 * What a call that no person made names of the files that other programs obey: the app takes servers, hooks, agents and templates from
 * `.interlinear`, git runs what `.git/config` says. Null: none. Of a program that is known it is believed that a tool only reads, and
 * which of its arguments are text.
 */
export function obeyedFile(request: ToolCallRequest, tool: CatalogTool, args: Arguments): string | null {
  const { program, name, annotations } = tool;
  if (request.by === 'person') return null;
  if (annotations.readOnly === true && flowOf(tool).by === 'app') return null;
  const isKnown = program !== undefined && tableFlow(program, name) !== null;
  return namedIn('', args, isKnown);
}

const isText = (key: string) =>
  /^(?:content|contents|new_content|append|old|new|oldText|newText|body|description|query|pattern|message|observations|thought)$/.test(
    key,
  );

function namedIn(key: string, value: unknown, isKnown: boolean): string | null {
  if (typeof value === 'string') return isKnown && isText(key) ? null : namedBy(key, value);
  if (typeof value !== 'object' || value === null) return null;
  for (const [name, one] of Object.entries(value)) {
    const match = namedBy('', name) ?? namedIn(Array.isArray(value) ? key : name, one, isKnown);
    if (match !== null) return match;
  }
  return null;
}

/** In whatever form a system or a program still takes for the same path. */
function namedBy(key: string, text: string): string | null {
  const path = plainPath(text);
  const parts = partsOf(path);
  // A command, a patch and a link on the way are no path that could be shortened: what such a text says as it stands counts, too.
  for (const one of [path, parts.join('/')]) {
    const name = (named.exec(one) ?? namedInPath.exec(one) ?? shortName.exec(one))?.[0];
    if (name !== undefined) return canonical.get(name) ?? name;
  }
  // What makes a repository of a folder, whatever that is called. Alone it is a name that git has for a commit as well.
  const keys = path.includes('/') ? isPathKey : isFileKey;
  return keys.test(key) && parts.at(-1) === 'head' ? 'HEAD' : null;
}

const isPathKey = /(?:path|file|name|source|destination|target|dest|to|from)s?$/i;
const isFileKey = /(?:path|file|filename)s?$/i;

const plainPath = (text: string): string =>
  addressless(text.replace(/^[\s"']+/, '').replace(/["']$/, ''))
    .replace(/%([2-7][0-9a-f])/gi, (_all, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .normalize('NFKC')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .toLowerCase()
    .replaceAll('\\', '/')
    // A part of a file, as Windows calls it.
    .replace(/:[^/:]{0,255}:\$[a-z_]+/g, '')
    .replace(/\/(?:\.?\/)+/g, '/');

/** Of an address what is no path of it. */
const addressless = (text: string) =>
  /^file:/i.test(text) ? (text.replace(/[\t\r\n]/g, '').split(/[?#]/, 1)[0] ?? '') : text;

/** The names on the way to what a path leads to, as a program that opens it goes it. */
function partsOf(path: string): string[] {
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part.trim() === '..') parts.pop();
    else {
      const name = withoutEnd(part);
      if (name !== '') parts.push(name);
    }
  }
  return parts;
}

/** Some systems leave points and blanks at the end of a name out. */
function withoutEnd(name: string): string {
  let end = name.length;
  while (end > 0 && /[\s.\0]/.test(name.charAt(end - 1))) end--;
  return name.slice(0, end).trimStart();
}

const all = [...obeyedFolders, ...obeyedFiles, ...obeyedPaths];
const canonical = new Map<string, string>(all.map((name) => [name.toLowerCase(), name]));
const anyOf = (names: readonly string[]) =>
  names
    .map((name) => name.toLowerCase().replaceAll('.', '\\.'))
    .sort((a, b) => b.length - a.length)
    .join('|');
const begin = String.raw`(?<![\p{L}\p{N}_.-])`;
const end = String.raw`(?!\.*[\p{L}\p{N}_-])`;
const named = new RegExp(`${begin}(${anyOf([...obeyedFolders, ...obeyedFiles])})${end}`, 'u');
const namedInPath = new RegExp(
  `(?:(?<=/)|^)(${anyOf(obeyedPaths)})(?=[. ]*(?:/|$))|(?<=/)(${anyOf(obeyedPaths)})${end}`,
  'u',
);
/** As Windows calls them by eight letters. */
const shortName = /(?<=\/|^)(?:git|interl|obsidi|vscode)~\d/;
