/** `<session>.journal`; `<session>.<hash>.journal` where a text that is not in it was about to replace the note. */
const pattern = /^([0-9a-f]{1,64})(?:\.([0-9a-f]{64}))?\.journal$/;

export const journalName = (sessionId: string): string => `${sessionId}.journal`;

export const overtakenName = (sessionId: string, hash: string): string => `${sessionId}.${hash}.journal`;

/** Null: a file of that name is no journal. */
export function parseJournalName(name: string): { sessionId: string; overtakenBy: string | null } | null {
  const [, sessionId, overtakenBy = null] = pattern.exec(name) ?? [];
  return sessionId === undefined ? null : { sessionId, overtakenBy };
}
