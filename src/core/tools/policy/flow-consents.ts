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
        (source) =>
          isOwnWord(tool, source) || keysOf(source)?.every((row) => row.some((key) => agreed.has(key))),
      );
    },
    add(conversation, tool, carried) {
      const key = keyFor(conversation, tool);
      consents.set(
        key,
        new Set([...(consents.get(key) ?? []), ...carried.flatMap((one) => keysOf(one)?.flat() ?? [])]),
      );
    },
  };
}

/** A stranger's word that the tool itself brings, as it always does, is no news; what is private is, place by place. */
function isOwnWord(tool: CatalogTool, source: ReadSource): boolean {
  return !source.reads.includes('private') && keyOf(sourceOf(tool, {})) === keyOf(source);
}

/**
 * Of what is private each place by itself, and what stood there: whatever is put there later is another thing. One of each row is enough.
 * Null: more than were kept. A stranger's word is the same wherever it stood.
 */
function keysOf(source: ReadSource): string[][] | null {
  const key = keyOf(source);
  if (!source.reads.includes('private')) return [[JSON.stringify([key, 'untrusted'])]];
  const { kind, name, account, places, contents } = source;
  if (places.length >= mostPlaces || (contents?.length ?? 0) >= mostPlaces) return null;
  // A file that was read is the same one, whichever tool of its server has read or written it; a number is not.
  const file = (place: string) =>
    contents && /\.\w+$/.test(place) ? [JSON.stringify([kind, name, account, 'file', place])] : [];
  return [
    ...(places.length === 0 ? [''] : places).map((place) => [
      JSON.stringify([key, 'place', place]),
      ...file(place),
    ]),
    ...(contents ?? []).map((content) => [JSON.stringify([kind, name, account, 'content', content])]),
  ];
}
