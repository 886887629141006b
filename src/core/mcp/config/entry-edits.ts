import type { ServerChanges } from '../../../contract/mcp';
import { bundledName } from './bundled';
import type { ConfigEdit } from './edit-jsonc';
import { hashOf, type ServerConfig } from './server-config';

/** A server is either a program or an address; saying one takes the other's keys away. */
const programKeys = ['command', 'args', 'env', 'cwd', 'sandbox'];
const addressKeys = ['url', 'serverUrl', 'httpUrl', 'headers', 'transport', 'type'];

/** The keys of an entry that say what it was before these changes. */
const keysBefore = (changes: Omit<ServerChanges, 'name'>) =>
  'command' in changes ? addressKeys : 'url' in changes ? programKeys : [];

export const placeOf = ({ level, draft }: ServerConfig) =>
  level === 'bundled' ? ['bundled', bundledName] : ['mcpServers', draft.name];

/** An entry as it will be. */
export function changedEntry(
  { draft }: ServerConfig,
  changes: Omit<ServerChanges, 'name'>,
): Record<string, unknown> {
  const oldKeys = keysBefore(changes);
  const remaining = Object.fromEntries(Object.entries(draft).filter(([key]) => !oldKeys.includes(key)));
  return Object.fromEntries(
    Object.entries({ ...remaining, ...changes }).filter(([, value]) => value !== null),
  );
}

/** What is to be edited so that an entry becomes that. `raw`: the entry as it stands in its file. */
export function entryEdits(
  server: ServerConfig,
  changes: Omit<ServerChanges, 'name'>,
  raw: unknown,
): ConfigEdit[] {
  const place = placeOf(server);
  return [
    // Without an id of its own a renamed server would be another one.
    ...(server.level !== 'bundled' ? [setKey([...place, 'id'], server.id)] : []),
    ...keysBefore(changes).map((key) => setKey([...place, key], undefined)),
    ...Object.entries(changes)
      .filter(([, value]) => value !== undefined)
      .flatMap(([key, value]) =>
        isObject(value) ? memberEdits(place, key, value, raw) : [setKey([...place, key], value ?? undefined)],
      ),
    ...('enabled' in changes ? [setKey([...place, 'disabled'], undefined)] : []),
  ];
}

export const setKey = (path: string[], value: unknown): ConfigEdit => ({ kind: 'set', path, value });

/** One edit a member, so that what is written around the others stays: comments, order, keys of other programs. */
function memberEdits(
  place: string[],
  key: string,
  values: Readonly<Record<string, unknown>>,
  raw: unknown,
): ConfigEdit[] {
  const entry = isObject(raw) ? raw : {};
  const member = key === 'env' && !isObject(entry.env) && isObject(entry.environment) ? 'environment' : key;
  const before = entry[member];
  if (!isObject(before)) return [setKey([...place, member], values)];
  return [
    ...Object.keys(before)
      .filter((name) => !(name in values))
      .map((name) => setKey([...place, member, name], undefined)),
    ...Object.entries(values)
      .filter(([name, value]) => !(name in before) || hashOf(before[name]) !== hashOf(value))
      .map(([name, value]) => setKey([...place, member, name], value)),
  ];
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
