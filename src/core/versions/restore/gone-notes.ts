import { randomBytes } from 'node:crypto';
import { extname } from 'node:path';
import { Text } from '@codemirror/state';
import { restoringHand } from '../../../contract/notes';
import type { VersionAuthor } from '../../../contract/versions';
import { diffTexts, mergeTexts, type Notes, withSession } from '../../notes';
import type { Vault } from '../../vault';
import type { KeptVault } from '../keep/kept-vaults';
import { type NoteRecord, newestText, type TextEntry } from '../store/note-list';
import { asObject, newId } from '../store/store';
import type { NoteTexts } from './note-texts';

const you: VersionAuthor = { kind: 'you' };
const mostKnown = 200;
const textOfLines = (text: string) => Text.of(text.split('\n'));

/** Notes that are gone stand in the vault again. */
export interface GoneNotes {
  /** A file of this text, and its note's history goes on. */
  bringBack(record: NoteRecord, path: string, text: string): Promise<string>;
  restoreDeleted(id: string): Promise<{ path: string }>;
  /** What is kept may be damaged, or none of this note: its text is what counts. */
  writeAgain(path: string, words: { base: string; text: string }): Promise<{ path: string }>;
}

/** One closure, since whatever brings a note back tells where it is to who asks for it next. */
export function createGoneNotes({
  texts,
  keptVault,
  settled,
  vault,
  notes,
  now,
  onCreate,
  onStands,
}: {
  texts: NoteTexts;
  /** Throws where no vault is open. */
  keptVault: () => KeptVault;
  settled: () => Promise<void>;
  vault: Vault;
  notes: () => Notes;
  now: () => number;
  /** Runs what makes a file that is a version already. */
  onCreate: <T>(work: () => Promise<T>) => Promise<T>;
  /** The note that was at `from` stands in the vault again with this text. */
  onStands: (from: string, text: string) => void;
}): GoneNotes {
  /** Files that were made of notes that were gone, by where those were. */
  const broughtBack = new Map<string, string>();

  async function bringBack(record: NoteRecord, path: string, text: string): Promise<string> {
    const created = await onCreate(() => vault.create(path, text));
    isBack(path, created.path, text);
    const content = await asObject(text);
    keptVault().queue.add((list) => {
      const last = newestText(list.byId(record.note) ?? record);
      return [
        {
          kind: 'text',
          ...{ note: record.note, id: newId(), at: now(), path: created.path, by: [you], ...content },
          cause: 'restored',
          added: last?.object === content.object ? 0 : null,
          removed: last?.object === content.object ? 0 : null,
          seen: null,
        },
      ];
    });
    await settled();
    return created.path;
  }

  function isBack(from: string, path: string, text: string): void {
    const file = vault.fileAt(path);
    broughtBack.delete(from);
    if (file !== null) broughtBack.set(from, file);
    for (const oldest of broughtBack.keys()) if (broughtBack.size > mostKnown) broughtBack.delete(oldest);
    onStands(from, text);
  }

  async function restoreDeleted(id: string): Promise<{ path: string }> {
    const { record, entry, text } = await texts.find(id);
    const { path } = record;
    const open = notes().opened(path);
    // Its window has all that it said, and more.
    if (
      record.isGone &&
      open?.saveState().kind === 'deleted' &&
      (await texts.list()).goneAt(path) === record
    ) {
      const { kind } = await notes().save(path);
      if (kind === 'saved') {
        onStands(path, open.text());
        return { path };
      }
    }
    if (!record.isGone) return { path };
    return { path: (await alreadyBack(texts, record, entry, text)) ?? (await bringBack(record, path, text)) };
  }

  async function writeAgain(path: string, words: { base: string; text: string }): Promise<{ path: string }> {
    const record = await texts.list().then(
      (list) => (list.at(path) ? undefined : list.goneAt(path)),
      () => undefined,
    );
    if (record && (await texts.present(path)) === null)
      return { path: await bringBack(record, path, words.text) };
    const file = broughtBack.get(path);
    const back = file === undefined || record ? null : vault.whereIs(file);
    if (back !== null) {
      onStands(path, await joinInto(notes(), back, words));
      return { path: back };
    }
    const created = await vault.create(path, words.text);
    isBack(path, created.path, words.text);
    return created;
  }

  return { bringBack, restoreDeleted, writeAgain };
}

/** The app may have ended once the file was made, before that was written down or told. */
async function alreadyBack(
  texts: NoteTexts,
  gone: NoteRecord,
  { object }: TextEntry,
  text: string,
): Promise<string | null> {
  const list = await texts.list();
  const since = gone.entries.at(-1)?.at ?? 0;
  for (const path of namesFor(gone.path)) {
    const now = await texts.present(path).catch(() => null);
    if (now === null) return null;
    // It came back just now.
    if (list.at(path) === gone) return path;
    const [first] = list.at(path)?.entries ?? [];
    const isIt = now === text || (first?.kind === 'text' && first.object === object);
    if (isIt && (!first || first.at >= since)) return path;
  }
  return null;
}

/** Joins the words into what the note says; answers what it says then. */
function joinInto(
  notes: Notes,
  path: string,
  { base, text }: { base: string; text: string },
): Promise<string> {
  return withSession(notes, path, async (session) => {
    const [before, after, now] = [textOfLines(base), textOfLines(text), textOfLines(session.text())];
    const sides = { ours: diffTexts(before, now), theirs: diffTexts(before, after) };
    const { changes } = mergeTexts(before, sides, now, after);
    session.apply(`${restoringHand}${randomBytes(8).toString('hex')}`, changes);
    await session.save();
    return session.text();
  });
}

/** As they are tried for a file that is made. */
function* namesFor(path: string): Generator<string> {
  yield path;
  const ending = extname(path);
  const stem = path.slice(0, path.length - ending.length);
  for (let number = 2; ; number++) yield `${stem} ${number}${ending}`;
}
