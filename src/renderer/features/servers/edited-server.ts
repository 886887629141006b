import { type ServerChanges, ServerDraft, type ServerEntry } from '../../../contract/mcp';
import { pairsOf, readLines, readPairs } from './draft-text';
import { noOptions, optionChanges, optionsOf, type ServerOptions } from './server-options';

/** What the form holds: all as it stands in the boxes. `target` is the command or the address. */
export interface EditedServer extends ServerOptions {
  readonly name: string;
  readonly target: string;
  readonly args: string;
  readonly pairs: string;
  readonly cwd: string;
}

export const noServer: EditedServer = {
  ...{ name: '', target: '', args: '', pairs: '', cwd: '' },
  ...noOptions,
};

export const isLocal = ({ transport }: ServerEntry): boolean => transport === 'stdio';

/** Null: it holds a literal secret, which does not come to the screen. */
export const writtenTarget = (server: ServerEntry): string | null =>
  isLocal(server) ? server.command : server.url;

/** One a line; null where one that is empty or has blanks at its ends would be lost. */
export const shownArgs = ({ args }: ServerEntry): string | null =>
  args?.every((arg) => readLines(arg)[0] === arg) ? args.join('\n') : null;

/** Its environment or its headers. */
export const writtenPairs = (server: ServerEntry): ServerEntry['env'] =>
  isLocal(server) ? server.env : server.headers;

export function editedServer(server: ServerEntry): EditedServer {
  return {
    name: server.name,
    target: writtenTarget(server) ?? '',
    args: shownArgs(server) ?? '',
    pairs: pairsOf(writtenPairs(server)),
    cwd: server.cwd ?? '',
    ...optionsOf(server),
  };
}

/** What the form says differently from the entry. */
export function changesOf(server: ServerEntry, edited: EditedServer): ServerChanges {
  const before = editedServer(server);
  const local = isLocal(server);
  const [name, target, cwd] = [edited.name.trim(), edited.target.trim(), edited.cwd.trim()];
  const changes: ServerChanges = optionChanges(before, edited);
  if (name !== server.name) changes.name = name;
  if (target !== '' && target !== writtenTarget(server)) changes[local ? 'command' : 'url'] = target;
  if (local && edited.args !== before.args) changes.args = readLines(edited.args);
  if (edited.pairs !== before.pairs) changes[local ? 'env' : 'headers'] = readPairs(edited.pairs).values;
  if (cwd !== (server.cwd ?? '')) changes.cwd = cwd || null;
  return changes;
}

/** A new server in the place of one that is there no more. */
export function newServerOf(server: ServerEntry, edited: EditedServer): ServerDraft {
  const local = isLocal(server);
  const { transport } = server;
  const cwd = edited.cwd.trim();
  const { values } = readPairs(edited.pairs);
  const entry = {
    ...{ [local ? 'command' : 'url']: edited.target.trim(), [local ? 'env' : 'headers']: values },
    ...(local && { args: readLines(edited.args), ...(cwd !== '' && { cwd }) }),
    ...optionChanges(noOptions, edited),
  };
  return ServerDraft.parse({
    ...Object.fromEntries(Object.entries(entry).filter(([, value]) => value !== null)),
    ...{ name: edited.name.trim(), ...(transport !== 'auto' && { transport }) },
  });
}
