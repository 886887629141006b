import type { Command } from '../base/keyboard/commands';
import { type Found, search } from '../base/text/fuzzy';

/** By their titles; after those, by the other words that they go by. */
export function commandsFor(query: string, commands: readonly Command[]): Found<Command>[] {
  const found = search(query, commands, ({ title }) => title);
  const rest = commands.filter((one) => one.keywords && !found.some(({ item }) => item === one));
  const named = query.trim() === '' ? [] : search(query, rest, ({ keywords }) => keywords ?? '');
  return [...found, ...named.map(({ item }) => ({ item, text: item.title, match: null }))];
}
