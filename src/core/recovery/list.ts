import { basename } from 'node:path';
import type { RecoveredText, RecoveryList } from '../../contract/recovery';
import type { Notes, StoredRecovery, WaitingJournal } from '../notes';
import type { Vault } from '../vault';
import { placeNow } from './place';

/**
 * What a person is shown: the texts of the open vault, of other vaults how many. What is of a folder that was at this path
 * before is put into no note by itself, but only here can it still be read.
 */
export function listRecovered(store: Notes['recovery'], vault: Vault): RecoveryList {
  const texts: RecoveredText[] = [];
  const others = new Map<string, number>();
  const put = (of: StoredRecovery['vault'], text: () => RecoveredText) => {
    if (of === null || vault.isOf(of) || of.root === vault.root()) texts.push(text());
    else others.set(basename(of.root), (others.get(basename(of.root)) ?? 0) + 1);
  };
  for (const stored of store.list()) put(stored.vault, () => asText(stored, vault));
  for (const journal of store.waiting()) put(journal.vault, () => asWaiting(journal, vault));
  return {
    texts: texts.sort((a, b) => b.at - a.at),
    others: [...others].map(([name, count]) => ({ vault: name, count })),
  };
}

function asText(stored: StoredRecovery, vault: Vault): RecoveredText {
  const { id, note, name, reason, at, restored, place } = stored;
  const parts = stored.parts.map(({ part, bytes }) => ({ part, bytes }));
  return { id, note, name, reason, at, parts, now: placeNow(stored, vault), restored, place };
}

function asWaiting({ id, note, at, text, file, place }: WaitingJournal, vault: Vault): RecoveredText {
  const name = basename(note).replace(/\.(md|markdown)$/i, '');
  const parts = [{ part: 'text' as const, bytes: Buffer.byteLength(text) }];
  const now = placeNow({ note, file, reason: 'waiting' }, vault);
  return { id, note, name, reason: 'waiting', at, parts, now, restored: null, place };
}
