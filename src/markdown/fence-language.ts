import { readName } from './tool-calls/words';

/** What a fence's info string names: a language, or a server, whose name may hold blanks and stand in quotes. */
export const languageOf = (info: string): string => readName(info);

/** Whether a fence of this language is a server's; names are told apart without regard to case. */
export function createServerCheck(servers: readonly string[]): (language: string) => boolean {
  const names = new Set(servers.map((name) => name.toLowerCase()));
  return (language) => names.has(language.toLowerCase());
}
