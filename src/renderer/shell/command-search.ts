import type { Command } from '../base/keyboard/commands';
import { type Found, search } from '../base/text/fuzzy';

/** By their titles; after those, by the other words that they go by. */
export function commandsFor(query: string, commands: readonly Command[]): Found<Command>[] {
  const results = search(query, commands, ({ title }) => title);
  const rest = commands.filter((one) => one.keywords && !results.some(({ item }) => item === one));
  const byKeyword = query.trim() === '' ? [] : search(query, rest, ({ keywords }) => keywords ?? '');
  return [...results, ...byKeyword.map(({ item }) => ({ item, text: item.title, match: null }))];
}
