import type { CatalogTool } from '../../mcp';
import type { ReadSource } from '../request/call-context';
import { keyOf, mostPlaces, sourceOf } from './flow';

/** What may be carried outside in which conversation, until the app ends; nothing of it is kept on disk. */
export interface FlowConsents {
  covers(conversation: string, tool: CatalogTool, carried: readonly ReadSource[]): boolean;
  /** The person saw these sources, and let this tool go on with them. */
  add(conversation: string, tool: CatalogTool, carried: readonly ReadSource[]): void;
}

/** One list for each tool that sends: what was agreed to for one says nothing of another. */
export function createFlowConsents(): FlowConsents {
  const consents = new Map<string, Set<string>>();
  const keyFor = (conversation: string, { serverId, name, definition, origin }: CatalogTool) =>
    JSON.stringify([conversation, serverId, name, definition, origin]);

  return {
    covers(conversation, tool, carried) {
      const agreed = consents.get(keyFor(conversation, tool));
      if (!agreed) return false;
      return carried.every(
        (source) => isOwnWord(tool, source) || placeKeys(source)?.every((key) => agreed.has(key)),
      );
    },
    add(conversation, tool, carried) {
      const key = keyFor(conversation, tool);
      consents.set(
        key,
        new Set([...(consents.get(key) ?? []), ...carried.flatMap((one) => placeKeys(one) ?? [])]),
      );
    },
  };
}

/** A stranger's word that the tool itself brings, as it always does, is no news; what is private is, place by place. */
function isOwnWord(tool: CatalogTool, source: ReadSource): boolean {
  return !source.reads.includes('private') && keyOf(sourceOf(tool, {})) === keyOf(source);
}

/** Of what is private each place by itself; null: more than were kept. A stranger's word is the same wherever it stood. */
function placeKeys(source: ReadSource): string[] | null {
  const key = keyOf(source);
  if (!source.reads.includes('private')) return [JSON.stringify([key, 'untrusted'])];
  if (source.places.length >= mostPlaces) return null;
  const places = source.places.length === 0 ? [''] : source.places;
  // A file is the same one, whichever tool of its server has read or written it; a number is not.
  const from = (place: string) => (/\.\w+$/.test(place) ? [source.kind, source.name, source.account] : key);
  return places.map((place) => JSON.stringify([from(place), 'private', place]));
}
