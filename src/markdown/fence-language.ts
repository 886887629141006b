import { readName } from './tool-calls/words';

/** What a fence's info string names: a language, or a server, whose name may hold blanks and stand in quotes. */
export const languageOf = (info: string): string => readName(info);

/** Whether a fence of this language is a server's; names are told apart without regard to case. */
export function createServerCheck(servers: readonly string[]): (language: string) => boolean {
  const names = new Set(servers.map((name) => name.toLowerCase()));
  return (language) => names.has(language.toLowerCase());
}

/** What of the servers with this name is meant: by its id, else by its name, else by its name without regard to case. */
export function ofServer<T>(
  things: readonly T[],
  server: string,
  nameOf: (thing: T) => { readonly id: string; readonly name: string },
): readonly T[] {
  const lower = server.toLowerCase();
  const ways: ((thing: T) => boolean)[] = [
    (thing) => nameOf(thing).id === server,
    (thing) => nameOf(thing).name === server,
    (thing) => nameOf(thing).name.toLowerCase() === lower,
  ];
  for (const isMeant of ways) {
    const meant = things.filter(isMeant);
    if (meant.length > 0) return meant;
  }
  return [];
}
