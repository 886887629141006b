import type { NotTaken, ServerDraft } from '../../../contract/mcp';

export interface Offered {
  readonly servers: readonly ServerDraft[];
  readonly skipped: readonly NotTaken[];
}

/** All that a person has typed and chosen. */
export interface NewServers {
  readonly text: string;
  readonly level: 'user' | 'vault';
  /** In place of what the text says. */
  readonly chosen: Offered | null;
  /** Keys of cards, as are those of the next two. */
  readonly leftOut: readonly string[];
  readonly edits: Readonly<Record<string, Partial<ServerDraft>>>;
  /** As typed, also what is no pair yet. */
  readonly pairs: Readonly<Record<string, string>>;
}

export interface Card {
  readonly key: string;
  readonly draft: ServerDraft;
}

/** The servers that would be added, as the person has changed them; and what is skipped of them. */
export function cardsOf(
  offered: Offered,
  { leftOut, edits }: Pick<NewServers, 'leftOut' | 'edits'>,
): { cards: Card[]; skipped: NotTaken[] } {
  // What a person did to a draft belongs to what it says, not to its place: other text begins anew.
  const all = offered.servers.map((draft, at) => ({ key: `${at} ${JSON.stringify(draft)}`, draft }));
  const omitted = new Set(all.filter(({ key }) => leftOut.includes(key)).map(({ draft }) => draft.name));
  return {
    cards: all
      .filter(({ key }) => !leftOut.includes(key))
      .map(({ key, draft }) => ({ key, draft: { ...draft, ...edits[key] } })),
    skipped: offered.skipped.filter(({ server }) => !omitted.has(server)),
  };
}
