import type { CompletionContext, CompletionResult } from '@codemirror/autocomplete';
import type { EditorState, TransactionSpec } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import type { ToolEntry } from '../../../../contract/tools';
import { printResourceLink } from '../../../../markdown';
import { toolBlockTemplate } from '../../../base/schema/tool-template';
import { t } from '../../../base/text/text';
import { noteContext } from '../context/note-context';
import type { Offered, OfferedResource } from '../context/offers';
import { holdRange } from '../insert/held-range';
import { insertWords } from '../insert/insert-turns';
import { dispatchInserted, type Inserter, inserted } from '../insert/insertion';
import { placeBehind } from '../insert/place-behind';
import { blockAround } from '../reading/blocks';
import { toolCard } from '../tool-blocks/block-check';
import { findOffers } from './find-offers';
import { type MenuOption, menu, offerCard, silentOptions } from './menu-options';

const most = { notes: 8, resources: 40, tools: 30 };

/** `@`: notes and servers’ resources go with the message; a tool becomes a block. `#mcp:` lists tools only. */
export async function atMenu(context: CompletionContext): Promise<CompletionResult | null> {
  const typed = typedIn(context);
  if (typed === null) return null;
  const { offerServers, actions } = context.state.field(noteContext);
  const none = { items: [], silent: [] };
  return menuOf(typed.startsWith('@') ? await actions.offers.resources(offerServers) : none, context);
}

function typedIn(context: CompletionContext): string | null {
  const open = context.matchBefore(
    /(?:^|[\s(（])(?:@[\p{L}\p{N}_.\-:/]*|#mcp:[\p{L}\p{N}_.\-:/]*(?: [\p{L}\p{N}_.\-:/]+)*)$/u,
  );
  if (!open || context.state.readOnly || blockAround(context.state, context.pos)) return null;
  return open.text.slice(open.text.search(/[@#]/));
}

function menuOf(offered: Offered<OfferedResource>, context: CompletionContext): CompletionResult | null {
  const typed = typedIn(context);
  if (typed === null) return null;
  const { tools, actions, path } = context.state.field(noteContext);
  const enabled = tools.filter((tool) => tool.enabled);
  const notes = () => actions.listNotes().filter((note) => note !== path);
  const query = typed.slice(1);
  const options = typed.startsWith('#')
    ? toolOptions(enabled, typed.slice('#mcp:'.length), '#mcp:')
    : [
        ...noteOptions(notes(), query),
        ...resourceOptions(offered.items, query),
        ...toolOptions(enabled, query, '@'),
        ...(query === '' ? silentOptions(offered.silent) : []),
      ];
  return menu(context.pos - typed.length, options, (next) => menuOf(offered, next));
}

/** The shortest name that leads to each note; a note whose path such a link can't hold has none. */
export function noteTargets(all: readonly string[]): { path: string; target: string }[] {
  const paths = all.filter((path) => !/[#|[\]^\p{Cc}\u2028\u2029]/u.test(path));
  const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1).replace(/\.md$/, '');
  const times = new Map<string, number>();
  for (const path of paths) times.set(nameOf(path), (times.get(nameOf(path)) ?? 0) + 1);
  return paths.map((path) => {
    const name = nameOf(path);
    return { path, target: times.get(name) === 1 ? name : path.replace(/\.md$/, '') };
  });
}

function noteOptions(paths: readonly string[], query: string): MenuOption[] {
  const matches = findOffers(query, noteTargets(paths), { label: ({ target }) => target }, most.notes);
  return matches.map(({ item: { path, target }, letters }) => ({
    label: target,
    letters,
    detail: path === `${target}.md` ? '' : path,
    section: { name: t('menu.notes'), rank: 1 },
    apply: (view, _completion, from, to) => replace(view, from, to, `[[${target}]]`),
  }));
}

export const resourceLabel = ({ title }: OfferedResource): string => title;

/** What of it is told beside its name. */
export const resourceDetail = ({ description, address }: OfferedResource): string =>
  description || address.text;

function resourceOptions(resources: readonly OfferedResource[], query: string): MenuOption[] {
  const matches = findOffers(
    query,
    resources,
    {
      label: resourceLabel,
      description: (one) => `${one.description} ${one.address.text} ${one.server.name}`,
    },
    most.resources,
  );
  return matches.map(({ item, letters }) => ({
    label: resourceLabel(item),
    letters,
    detail: item.address.kind === 'template' ? t('menu.pattern') : (item.mediaType ?? ''),
    section: { name: t('menu.resourcesOf', { server: item.server.name }), rank: 2 },
    info: () => offerCard(item.title, item.server.name, `${item.address.text}\n${item.description}`.trim()),
    apply: (view, _completion, from, to) => {
      const { actions } = view.state.field(noteContext);
      if (item.address.kind === 'uri') return replace(view, from, to, linkTo(item, item.address.text));
      return actions.ask(view, { kind: 'resource', resource: item }, { from, to });
    },
  }));
}

export const linkTo = ({ title, server }: OfferedResource, uri: string): string =>
  printResourceLink({ name: title, server: server.name, uri });

function toolOptions(tools: readonly ToolEntry[], query: string, prefix: '@' | '#mcp:'): MenuOption[] {
  const nameOf = (tool: ToolEntry) => (prefix === '@' ? tool.name : `${tool.serverName}:${tool.name}`);
  return findOffers(query, tools, { label: nameOf }, most.tools).map(({ item, letters }) => ({
    label: prefix + nameOf(item),
    letters: letters.map((at) => at + prefix.length),
    detail: item.serverName,
    section: { name: t('menu.tools'), rank: 3 },
    info: () => toolCard(item),
    apply: (view, _completion, from, to) => insertBlock(view, item, from, to),
  }));
}

function replace(view: EditorView, from: number, to: number, words: string): void {
  view.dispatch({ effects: holdRange.of({ from, to }) });
  insertWords(view, words);
}

function insertBlock(view: EditorView, tool: ToolEntry, from: number, to: number): void {
  dispatchInserted(view, blockInserted(view.state, tool, from, to));
}

export function blockInserted(
  state: EditorState,
  tool: Pick<ToolEntry, 'serverName' | 'name' | 'inputSchema'>,
  from: number,
  to: number,
): TransactionSpec | null {
  const put =
    (isIndented: boolean): Inserter =>
    (now, place) => ({
      spec: blockAt(now, place, tool, isIndented),
      addition: { turns: 0, blocks: 1, links: [] },
    });
  return inserted(state, { held: { from, to }, places: 'here' }, put(true), put(false));
}

function blockAt(
  state: EditorState,
  place: number,
  tool: Parameters<typeof blockInserted>[1],
  isIndented: boolean,
) {
  const line = state.doc.lineAt(place);
  const ahead = line.text.slice(0, place - line.from);
  const isOwnLine = isIndented && ahead.trim() === '';
  // Each line stands where the first one does, else the fence would end with it.
  const block = toolBlockTemplate(tool.serverName, tool.name, tool.inputSchema).replaceAll(
    '\n',
    isOwnLine ? `\n${ahead}` : '\n',
  );
  // As far in as it stands, it goes on with what is around it.
  const behind = isOwnLine && ahead !== '' ? null : placeBehind(state, place);
  const at = behind ? behind.at : place;
  const before = behind ? `${behind.closing}\n\n` : isOwnLine ? '' : '\n\n';
  const insert = `${before}${block}\n`;
  const third = before.length + block.split('\n').slice(0, 3).join('\n').length;
  return {
    changes: { from: at, to: at, insert },
    selection: { anchor: at + Math.min(third, before.length + block.length - 4) },
    userEvent: 'input.complete',
  };
}
