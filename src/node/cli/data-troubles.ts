import type { Notice, NoticeFacts } from '../../contract/app';
import type { Observable } from '../../core/foundation';

const folderStates = {
  gone: 'was deleted or moved. It was made anew with what the app had open.',
  'read-only': 'is read-only.',
  full: 'is on a disk that is full.',
  'no-permission': 'may not be written any more.',
  busy: 'does not answer.',
} as const;

/** A line of what keeps the app's own data from being written; null: it is of something else. */
export function dataTrouble(facts: NoticeFacts): string | null {
  switch (facts.code) {
    case 'data-folder':
      return `The data folder ${facts.folder} ${folderStates[facts.state]}`;
    case 'no-journals':
      return `What is typed is not protected from a crash: ${facts.reason}`;
    case 'damaged':
      return [
        `${facts.file} (${facts.what}): ${facts.state}.`,
        facts.reason,
        facts.lost.length > 0 ? `Lost: ${facts.lost.join(', ')}.` : '',
        facts.keptAs === null ? '' : `The old file is ${facts.keptAs}.`,
      ]
        .filter(Boolean)
        .join(' ');
    default:
      return null;
  }
}

/** Says each once, and when all of them are over; `json`: an object a line. Returns what stops it. */
export function printDataTroubles(
  list: Pick<Observable<Notice[]>, 'get' | 'onChange'>,
  err: (text: string) => void,
  json = false,
): () => void {
  const say = (code: string, message: string) =>
    err(json ? `${JSON.stringify({ kind: 'notice', code, message })}\n` : `${message}\n`);
  let before = new Set<string>();
  const print = (notices: readonly Notice[]) => {
    const open = new Set<string>();
    for (const { id, facts } of notices) {
      const line = dataTrouble(facts);
      if (line === null) continue;
      open.add(id);
      if (!before.has(id)) say(facts.code, line);
    }
    if (before.size > 0 && open.size === 0) say('over', 'The data folder is written again.');
    before = open;
  };
  print(list.get());
  return list.onChange(print);
}
